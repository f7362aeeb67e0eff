/** Oracle. The notation is explained in read-table.ts. */
export const oracle = `
# oracle code
- ORA-00600=internal error; driver treats session as dead | ORA-00602=internal programming exception |
   ORA-00604=recursive sql; see next error | ORA-02091=transaction rolled back; see next error |
   ORA-04088=trigger failed; see next error | ORA-06512=stack line; see other error |
   ORA-12801=parallel query; see next error | ORA-24347=null ignored in aggregate |
   ORA-24381=batch errors; see each row | ORA-25228=aq dequeue timeout or no message |
   ORA-28002=password soon expires, warning
b40 ORA-00955=name exists
b50 ORA-14400=no partition for key | ORA-14402=update would move partition
b60 ORA-02299=duplicates block constraint | ORA-38911=unique constraint in dml error log
b65 ORA-02266=key referenced by enabled foreign key | ORA-02292=child records exist | ORA-21525=attribute constraint
b75 ORA-00001=unique constraint; often already processed | ORA-20000 | ORA-20001=raise_application_error |
   ORA-20999=raise_application_error range ends here
b85 ORA-02290=check constraint
l60? ORA-24756=transaction does not exist
l70 ORA-25263=aq message id not in queue
l75 ORA-01403=no data found
l85 ORA-02291=parent key missing
p50 ORA-02393=cpu limit per call | ORA-02395=io limit per call
p60 ORA-00036=recursive sql too deep | ORA-01002=fetch out of sequence | ORA-01422=select into got several rows |
   ORA-02443=constraint to drop missing | ORA-04080=trigger missing | ORA-24338=ref cursor not open |
   NJS-081=concurrent operations on one connection
p65 ORA-01427=subquery gave several rows | ORA-04063=object has compile errors | ORA-30926=merge source not unique
p70 ORA-00972=identifier too long | ORA-01779=view not key-preserved | ORA-01790=union types differ |
   ORA-04043=object missing | ORA-04091=mutating table | ORA-06553=plsql wrong arguments |
   ORA-12838=read after parallel write in same transaction | NJS-011=bind value and type differ
p75 ORA-00942=table missing or no privilege | ORA-01476=divide by zero | ORA-01747=column specification |
   ORA-02289=sequence missing | ORA-17003=jdbc bad column index | ORA-17006=jdbc bad column name |
   ORA-38104=merge updates join column
p80 ORA-00902=invalid type | ORA-00903=invalid table name | ORA-00904=unknown column; maybe migration not yet applied |
   ORA-00911=invalid character in sql | ORA-00913=too many values | ORA-00947=not enough values |
   ORA-00957=duplicate column | ORA-00960=ambiguous column | ORA-01008=bind missing | ORA-01036=bind name wrong |
   ORA-01756=quote not closed | ORA-06550=plsql compile error | NJS-097=bind name not in statement |
   NJS-098=wrong number of binds
p85 ORA-00900=invalid statement | ORA-00907=syntax | ORA-00917=missing comma | ORA-00918=ambiguous column |
   ORA-00923=from missing | ORA-00933=syntax | ORA-00936=expression missing
s55 ORA-00932=inconsistent types | ORA-06502=plsql value error
s65 ORA-40479=json serializer | NJS-105=not-a-number value
s70 ORA-01426=numeric overflow
s75 ORA-01400=null into required column | ORA-01407=update to null | ORA-01461=value too long for bind |
   ORA-29275=partial multibyte character | ORA-40587=json type
s80 ORA-01438=number exceeds precision
s85 ORA-01401=value too long | ORA-01722=invalid number | ORA-01830=date format | ORA-01839=date not valid for month |
   ORA-01840=date input too short | ORA-01841=year out of range | ORA-01843=invalid month | ORA-01847=invalid day |
   ORA-01858=non-numeric in date | ORA-01861=literal does not match format | ORA-12899=value too large for column |
   ORA-31011=xml parsing failed | ORA-40875=json schema validation
s90 ORA-40441=json syntax
t50 ORA-01410=invalid rowid | ORA-06508=program unit not found; often recompiling
t50? ORA-56600=pooled server call refused
t55 NJS-065=pool closed | NJS-518=service name unknown to listener
t60 ORA-01000=open cursors exceeded; often a leak | ORA-08006=row no longer exists | ORA-12514 |
   ORA-12521=instance unknown to listener | ORA-17447=jdbc oci handle | ORA-28547=net init failed |
   ORA-29771=process blocked | NJS-064=pool closing | NJS-530=host not found
t60? ORA-00378=buffer pool | ORA-00603=session died by fatal error | ORA-01043=user memory damaged |
   ORA-03122=channel close attempt | ORA-03137=malformed packet | ORA-27146=post/wait init failed
t65 ORA-01536=quota exceeded | ORA-12545=host or object missing | ORA-16000=database read-only; standby
t70 ORA-00257=archiver stuck; disk | ORA-01650=rollback segment cannot extend | ORA-01652=temp segment cannot extend |
   ORA-01653=table cannot extend | ORA-01654=index cannot extend | ORA-01688=partition cannot extend |
   ORA-01691=lob segment cannot extend | ORA-02392=cpu limit per session | ORA-04030=process out of memory |
   ORA-12560=protocol adapter | ORA-24761=transaction rolled back
t70? ORA-00045=session terminated | ORA-00609=could not attach | ORA-01041=host definition lost |
   ORA-12157=net internal | ORA-12161=partial data | ORA-28511=lost rpc to heterogeneous agent
t75 ORA-02399=connect time exceeded | ORA-04031=shared memory exhausted |
   ORA-08103=object truncated or dropped under query | ORA-12805=parallel server died | ORA-30036=undo cannot extend
t75? ORA-00031=session marked for kill | ORA-01013=cancelled by user or timeout |
   ORA-02051=other session in distributed transaction failed | ORA-02053=committed locally, remote in doubt |
   ORA-02068=severe error from remote database | NJS-003=invalid or closed connection
t80 ORA-01035=restricted session only | ORA-01109=database not open | ORA-04065=package changed, not executed |
   ORA-12203=cannot connect | ORA-12526=instances in restricted mode | ORA-12606=application timeout
t80? ORA-00022=session invalid | ORA-01591=in-doubt distributed transaction holds lock |
   ORA-02050=distributed transaction in doubt, rolled back | ORA-12151=net packet bad |
   ORA-12152=break message not sent | ORA-29740=rac node evicted | NJS-513=in-band notification of shutdown |
   DPI-1010=not connected
t85 ORA-00051=wait for resource timed out | ORA-02391=session limit per user | ORA-03136=inbound connection timeout |
   ORA-04020=deadlock on library object | ORA-04021=timeout on library object lock |
   ORA-04061=package state invalidated | ORA-12520=no handler available | ORA-12528=instances blocking connections |
   ORA-12543=host unreachable | ORA-25402=tac/taf: transaction must roll back |
   ORA-27101=shared memory realm missing; instance down | NJS-503=connection incomplete
t85? ORA-00028=session killed | ORA-01012=not logged on | ORA-02054=transaction in doubt |
   ORA-02396=idle time exceeded | ORA-12153=not connected | ORA-12570=packet read failed |
   ORA-12571=packet write failed | ORA-12583=no reader | ORA-12609=receive timeout | ORA-17008=jdbc closed connection |
   ORA-25408=taf: cannot replay safely | NJS-123=call timeout | DPI-1067=call timeout
t90 ORA-00018=sessions exhausted | ORA-00020=processes exhausted | ORA-01014=shutdown in progress |
   ORA-01555=snapshot too old | ORA-02049=distributed lock timeout | ORA-04068=package state discarded; run again |
   ORA-12516=no handler for protocol now | ORA-12518=listener could not hand off | ORA-12519=no handler available |
   ORA-12541=no listener | ORA-16456=switchover running | ORA-18014=busy, wait timeout | NJS-040=pool queue timeout |
   NJS-076=pool queue full
t90? ORA-01092=instance terminated | ORA-12535=operation timed out | ORA-12537=connection closed |
   ORA-12547=lost contact | ORA-17002=jdbc io error | ORA-17410=jdbc no more data from socket |
   ORA-25405=taf: transaction status unknown | NJS-521=connection eof | DPI-1080=connection closed
t95 ORA-00054=resource busy, nowait | ORA-01033=starting or stopping | ORA-01034=instance not available |
   ORA-01090=shutdown in progress | ORA-12170=connect timeout | ORA-30006=resource busy, wait timeout |
   NJS-510=connect timeout | NJS-511=connection refused
t95? ORA-01089=immediate shutdown | ORA-03113=end of file on channel | ORA-03114=not connected |
   ORA-03135=connection lost contact | NJS-500=connection closed | NJS-501=lost contact
t97 ORA-00060=deadlock; statement rolled back | ORA-08177=cannot serialize
u50 ORA-29548=java in database
u70 ORA-01917=user or role missing
u75 ORA-01918=user missing | ORA-08102=index key missing; corruption
u80 ORA-01502=index unusable | NJS-087=token expired | NJS-505=tls init | NJS-519=sid unknown to listener
u85 ORA-12505=sid unknown to listener | ORA-25708=token expired | ORA-28759=wallet not openable |
   NJS-515=connect string syntax
u90 ORA-12154=connect identifier not resolved | NJS-101=credentials missing | NJS-517=tns entry not found
u95 ORA-01031=privilege missing | ORA-01045=no create session right | ORA-28000=account locked |
   ORA-28001=password expired
u97 ORA-01017=wrong user or password
`;
