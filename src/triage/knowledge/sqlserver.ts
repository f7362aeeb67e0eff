/** SQL Server. The notation is explained in read-table.ts. */
export const sqlserver = `
# sqlserver code
- EREQUEST=tedious: see error number
b40 2714=object exists
b50 3609=ended in trigger
b60 3726=object referenced by foreign key
b65 4712=cannot truncate, referenced
b75 2601 | 2627 | 50000=raiserror from procedure; domain rule
l60 547
p50 3930=transaction doomed; look at first error
p55 3998=uncommittable transaction at batch end
p60 512=subquery gave several rows | 3701=object to drop missing | 15151=object missing or no right |
   266=transaction count mismatch | EINVALIDSTATE=tedious: call in wrong state
p65 EPARAM=tedious: bad parameter
p75 544=explicit identity value | 208=unknown table; maybe migration not yet applied | 2812=procedure missing |
   8134=divide by zero | 3902=commit without begin | 3903=rollback without begin
p80 105=unclosed quote | 137=variable not declared | 201=procedure parameter missing |
   207=unknown column; maybe migration not yet applied | 213=column count mismatch | 8144=too many arguments |
   8145=not a parameter of procedure
p85 102=syntax | 156=syntax near keyword | 170=syntax | 209=ambiguous column
s75 8115=arithmetic overflow converting | 220=arithmetic overflow for type | 232=arithmetic overflow for type |
   248=int overflow on conversion | 515=null into not-null column
s80 8114=type conversion error | 295=smalldatetime conversion failed
s85 8152=string or binary truncated | 2628=string truncated, column named | 245=conversion failed |
   241=date conversion failed | 242=date out of range | 8169=uniqueidentifier conversion failed
t45 926=database suspect; needs operator
t50 40623=reauthentication failed; login changed | 4060 | 20=encryption not supported; listed anyway |
   ETDS=tedious: protocol
t55 11001=host name not found
t60 35256=availability replica session timeout | 3980=batch aborted; session busy |
   3957=snapshot isolation just enabled | 3635=metadata error | 1535=shared extent | 1534=shared extent |
   1533=shared extent | 1532=sort run extent | 3906=database read-only; replica or failover |
   978=secondary needs read intent | 979=not primary | 823=disk io error | EINSTLOOKUP=tedious: instance lookup failed
t60? 6292=transaction already ended | 3429=cross-database transaction outcome assumed |
   ECANCEL=tedious: request cancelled
t65 47139=contained availability group | 47137=contained availability group | 47132=contained availability group |
   45547=azure management plane busy | 45319=azure management plane busy | 45182=azure management plane busy |
   45179=azure management plane busy | 45161=azure management plane busy | 45157=azure management plane busy |
   45156=azure management plane busy | 45153=azure management plane busy | 42029=azure internal error, retry asked |
   41701=azure fabric internals | 41700=azure fabric internals | 41640=azure fabric internals |
   41619=azure fabric internals | 41614=azure fabric internals | 41383=azure internal error, retry asked |
   40938=azure management plane busy | 40918=azure management plane busy | 39152=external script or enclave limits |
   39151=external script or enclave limits | 39110=external script or enclave limits |
   39108=external script or enclave limits | 39025=external script or enclave limits |
   37327=external script or enclave limits | 37202=external script or enclave limits |
   35293=availability group internals | 33123=listed as transient | 30085=listed as transient |
   30080=listed as transient | 25740=listed as transient | 25738=listed as transient | 25003=replication internals |
   22984=azure internal error, retry asked | 22760=synapse link task | 22759=synapse link task |
   22758=synapse link task | 22754=synapse link task | 22498=azure internal error, retry asked |
   22493=azure internal error, retry asked | 22491=azure internal error, retry asked |
   22430=azure internal error, retry asked | 22427=azure internal error, retry asked |
   22358=azure internal error, retry asked | 22355=azure internal error, retry asked |
   22353=azure internal error, retry asked | 22335=azure internal error, retry asked |
   22226=azure internal error, retry asked | 22225=azure internal error, retry asked | 21503=replication internals |
   19494=availability group internals | 19416=availability group internals | 19413=availability group internals |
   18858=replication internals | 17067=server assertion, timing | 17066=server assertion, timing |
   17065=server assertion, timing | 16555=azure internal error, retry asked | 16554=azure internal error, retry asked |
   16528=azure internal error, retry asked | 14906=stretch or helper service | 14868=stretch or helper service |
   14817=stretch or helper service | 14355=stretch or helper service | 11539=listed as transient |
   9985=listed as transient | 9020=listed as transient | 7951=listed as transient | 5529=listed as transient |
   5280=listed as transient | 1438=listed as transient | 1216=listed as transient | 1215=listed as transient
t70 42108=sql pool paused; must be resumed | 41840=in-memory quota of pool reached |
   41823=in-memory quota of database reached | 40106=schema scope changed | 10922=rerun asked |
   9515=xml schema altered during query | 4184=table altered too often | 4117=table altered too often |
   3941=cdc or replication enabled mid-transaction | 1221=lock release race | 1203=unlock race |
   617=work table entry missing | 615=database id not found; offline |
   203=handshake failed (only with inner win32 error) | -1=connection open failed |
   40549=session killed, long transaction | 40550=session killed, too many locks | 40551=session killed, tempdb |
   40552=session killed, log space | 40553=session killed, memory | 1101=filegroup full | 1105=filegroup full |
   13535=temporal table: row newer than transaction | ENOCONN=mssql: no connection |
   EABORT=mssql: transaction aborted, see cause
t70? 1421=mirror partner timeout | ECLOSE=tedious: closed
t75 35218=primary offline for a moment | 35216=primary offline for a moment | 20041=trigger could not run; rolled back |
   3935=filestream context failed | 2816=metadata changed | 2021=entity changed during ddl |
   1413=mirroring not started | 997=login interrupted | 982=no readable secondary | 927=database restoring |
   669=row object inconsistent | 539=schema changed during select into | 802=buffer pool out of memory |
   9002=transaction log full
t80 40671=unable to act on server now | 18401=server in script upgrade mode | 8651=memory grant not available |
   4221=read replica not ready for login | 3953=database not recovered yet | 3950=version store scan timeout |
   1807=model database locked | 1404=mirror busy | 1232=lock manager failure | 2=network path not found |
   40=could not open connection | 701=out of memory
t80? -2 | 596=session is being killed
t85 49983=operation failed, retry asked | 49510=managed instance busy | 41339=table altered during transaction |
   40189=resource quota; next window | 17889=too many connections on session | 8645=timeout waiting for memory |
   8628=timeout waiting to optimize | 3966=version store victim | 3948=availability replica change |
   3947=secondary redo lag | 1204=no lock resources | 988=no quorum | 941=database not started |
   601=nolock scan lost its place | 233=connection closed during login | 53=network path not found, server unreachable |
   983=availability database not accessible now
t85? 121=semaphore timeout | 258=wait operation timed out | 11=general network error |
   1236=network connection aborted locally | ETIMEOUT=tedious: connect or request timeout |
   ESOCKET=tedious: socket error | ECONNCLOSED=mssql: connection closed
t90 49977=elastic pool busy | 49802=database unavailable now | 42109=sql pool warming up |
   41839=too many commit dependencies | 40903=server busy | 40890=elastic pool busy | 40675=service busy |
   40648=too many requests | 40642=server too busy | 40540=service error processing request |
   40143=service error processing request | 17197=login timeout under load | 10930=service busy |
   10929=server too busy for this database | 952=database in transition | 921=database not recovered yet |
   6005=shutdown in progress | 17142=server paused
t90? 64=network name gone
t95 49920=too many operations for subscription | 49919=too many create or update operations |
   49918=not enough resources now | 41325=serializable validation failed | 41305=repeatable-read validation failed |
   41302=row changed since transaction start | 41301=dependency on transaction that failed |
   10936=request limit of pool | 10928=request limit of database | 10060=connect timed out | 1222=lock request timeout |
   10061=connection refused
t95? 40197=service error, often failover | 10054=connection reset by server | 10053=connection aborted locally |
   ECONNRESET=tedious
t97 40613=database not currently available | 40501=service busy, throttled | 3960=snapshot update conflict |
   1205=deadlock victim
u70 4062=default database missing
u75 4064=cannot open default database
u80 40544=azure size quota reached | 824=page corruption | EFEDAUTH=tedious: federated auth |
   EENCRYPT=tedious: encryption setup
u85 ELOGIN
u90 18486=account locked out | 40532=cannot open server; login name | 40914=vnet firewall
u95 229=permission denied | 230=permission denied on column | 262=permission denied | 300=permission denied |
   916=login cannot access database | 18450=login failed | 18452=login failed, untrusted domain | 18456=login failed |
   18470=account disabled | 18487=password expired | 18488=password must change | 40615=client ip blocked by firewall
`;
