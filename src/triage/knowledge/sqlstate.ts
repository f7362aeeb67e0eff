/** SQLSTATE classes that all databases share. The notation is explained in read-table.ts. */
export const sqlstate = `
# sqlstate prefix
- 01=warning | 02=no data | 72=oracle sql execution | HY=driver general | HV=foreign data wrapper | P0=plpgsql |
   S1=odbc general | XA=distributed transaction | XX=internal
b50 27=triggered data change
b55 23=integrity constraint
b75 44=check option | 45=user signalled
p50 38=external routine
p55 20=case not found | 2F=sql routine exception | 39=external routine call
p60 21=cardinality violation | 26=invalid statement name | 54=program limit
p65 25=invalid transaction state
p70 07=dynamic sql error | 0A=feature not supported | 0B=invalid transaction initiation |
   2D=invalid transaction termination | 3B=savepoint | 3C=ambiguous cursor name
p75 24=invalid cursor state | 34=invalid cursor name | 65=oracle plsql identifier
p80 2A=syntax error direct sql | 37=syntax error dynamic sql | 42=syntax or access rule
s75 22=data exception
t60 55=object state | 58=system error
t70 70=interrupted
t80 53=insufficient resources | 57=operator intervention
t90 40=transaction rollback | 61=oracle deadlock
t90? 08=connection exception
u60 2B=dependent privileges
u75 3F=invalid schema
u80 IM=odbc driver manager
u85 3D=invalid catalog
u95 28=authorization
# sqlstate code
- HY000=general error | 72000=oracle execution
b75 45000=unhandled user condition
p70 0A000=feature not supported
p75 42S02=base table not found
p80 42S22=column not found
s50 01004=data truncated
t75 70100=query interrupted
t85? HYT00=timeout expired
t90 HYT01=connection timeout
t95 40XL1=derby lock timeout
t95? 08S01=communication link failure
`;
