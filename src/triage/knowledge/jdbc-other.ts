/** DB2, Derby, H2, HANA, HSQLDB, Informix and Sybase. The notation is explained in read-table.ts. */
export const jdbcOther = `
# db2 code
b40 -601=object exists
b60 -544=existing rows break check | -603=duplicates block unique index | -20356=truncate blocked by foreign key
b65 -531=parent key update restricted | -532=child rows restrict delete
b70 -543=check constraint on delete
b75 -803=duplicate key; often already processed | -438=raised by application
b85 -545=check constraint
l60 100=no row found, warning class
l65 -667=existing rows break foreign key
l85 -530=parent key missing
p60 -804=bad call
p80 -007=bad sql grammar | -029=bad sql grammar | -097=bad sql grammar | -104=bad sql grammar | -109=bad sql grammar |
   -115=bad sql grammar | -128=bad sql grammar | -199=bad sql grammar | -204=bad sql grammar | -206=bad sql grammar |
   -408=bad sql grammar | -441=bad sql grammar | -491=bad sql grammar
p85 -203=ambiguous column
s60 -301=host variable type
s75 -407=null into not-null column
s80 -302=value out of range
s85 -180=date format | -181=date invalid | -420=invalid character in cast | -433=value too long
t60 -1336=host unknown
t65 -971=resource failure (spring: non-transient class)
t70 -952=interrupted
t75 -964=transaction log full
t80 -904=resource unavailable
t85 -1229=system failure, rolled back
t85? -30080=communication error | -4499=jdbc communication error
t90 -1035=transient resource | -1218=transient resource
t90? -30081=communication error | -1224=database agent terminated | -4498=client reroute; transaction rolled back |
   -30108=client reroute
t95 -913=deadlock or timeout, not rolled back
t97 -911=deadlock or timeout, rolled back
u70 -805=package missing; rebind | -818=package timestamp mismatch
u95 -30082=login failed | -551=privilege missing
# derby code
b40 X0Y32=object exists
b75 23505=duplicate key; often already processed
b85 23513=check constraint
l80 23503=foreign key
p70 42Y07=schema missing
p80 42802=bad sql grammar | 42821=bad sql grammar | 42X01=bad sql grammar | 42X02=bad sql grammar |
   42X03=bad sql grammar | 42X04=bad sql grammar | 42X05=bad sql grammar | 42X06=bad sql grammar |
   42X07=bad sql grammar | 42X08=bad sql grammar
s75 22005=wrong type | 23502=null not allowed
s85 22001=value too long
t65 04501=resource failure (spring: non-transient class)
t95 40XL1=lock not acquired
t97 40001=deadlock victim
u70 08004=connection refused: auth or missing database
# h2 code
b45 23000 | 23002 | 23003
b65 23503=child rows exist
b75 23001=duplicate key; often already processed | 23505=duplicate key; often already processed
b85 23513=check constraint
l85 23506=parent row missing
p60 22025=escape
p75 22012=division by zero
p80 42000=bad sql grammar | 42001=bad sql grammar | 42101=bad sql grammar | 42102=bad sql grammar |
   42111=bad sql grammar | 42112=bad sql grammar | 42121=bad sql grammar | 42122=bad sql grammar |
   42132=bad sql grammar
s60 23507=no default
s75 23502=null not allowed
s80 22003=number out of range
s85 22001=value too long | 22018=conversion failed
t65 90046=resource failure (spring: non-transient class) | 90100=resource failure (spring: non-transient class) |
   90117=resource failure (spring: non-transient class) | 90121=resource failure (spring: non-transient class) |
   90126=resource failure (spring: non-transient class)
t95 50200=lock timeout
# hana code
b65 462=parent row referenced
b75 301=duplicate key; often already processed
l85 461=foreign key
p75 -11210=result set misuse | 582=result set misuse | 587=result set misuse | 588=result set misuse |
   594=result set misuse
p80 257=bad sql grammar | 259=bad sql grammar | 260=bad sql grammar | 261=bad sql grammar | 262=bad sql grammar |
   263=bad sql grammar | 264=bad sql grammar | 267=bad sql grammar | 268=bad sql grammar | 269=bad sql grammar |
   270=bad sql grammar | 271=bad sql grammar | 272=bad sql grammar | 273=bad sql grammar | 275=bad sql grammar |
   276=bad sql grammar | 277=bad sql grammar | 278=bad sql grammar | 279=bad sql grammar | 280=bad sql grammar |
   281=bad sql grammar | 282=bad sql grammar | 283=bad sql grammar | 284=bad sql grammar | 285=bad sql grammar |
   286=bad sql grammar | 288=bad sql grammar | 289=bad sql grammar | 290=bad sql grammar | 294=bad sql grammar |
   295=bad sql grammar | 296=bad sql grammar | 297=bad sql grammar | 299=bad sql grammar | 308=bad sql grammar |
   309=bad sql grammar | 313=bad sql grammar | 315=bad sql grammar | 316=bad sql grammar | 318=bad sql grammar |
   319=bad sql grammar | 320=bad sql grammar | 321=bad sql grammar | 322=bad sql grammar | 323=bad sql grammar |
   324=bad sql grammar | 328=bad sql grammar | 329=bad sql grammar | 330=bad sql grammar | 333=bad sql grammar |
   335=bad sql grammar | 336=bad sql grammar | 337=bad sql grammar | 338=bad sql grammar | 340=bad sql grammar |
   343=bad sql grammar | 350=bad sql grammar | 351=bad sql grammar | 352=bad sql grammar | 362=bad sql grammar |
   368=bad sql grammar
t65 -813=resource failure (spring: non-transient class) | -709=resource failure (spring: non-transient class) |
   -708=resource failure (spring: non-transient class) | 1024=resource failure (spring: non-transient class) |
   1025=resource failure (spring: non-transient class) | 1026=resource failure (spring: non-transient class) |
   1027=resource failure (spring: non-transient class) | 1029=resource failure (spring: non-transient class) |
   1030=resource failure (spring: non-transient class) | 1031=resource failure (spring: non-transient class)
t95 131=lock not acquired | 138=cannot serialize | 143=cannot serialize
t97 133=deadlock victim
u95 10=permission denied | 258=permission denied
# hsqldb code
b45 -9
b75 -104=duplicate key; often already processed
p80 -22=bad sql grammar | -28=bad sql grammar
t65 -80=resource failure (spring: non-transient class)
# informix code
b50 -11030=integrity
b65 -692=child rows exist
b75 -239=duplicate key; often already processed | -268=duplicate key; often already processed |
   -6017=duplicate key; often already processed
p80 -201=bad sql grammar | -217=bad sql grammar | -696=bad sql grammar
# sybase code
b40 2714=object exists
b75 2601=duplicate key; often already processed | 2615=duplicate key; often already processed |
   2626=duplicate key; often already processed
l60 547=constraint, foreign key or check
l80 546=foreign key
p80 101=bad sql grammar | 102=bad sql grammar | 103=bad sql grammar | 104=bad sql grammar | 105=bad sql grammar |
   106=bad sql grammar | 107=bad sql grammar | 108=bad sql grammar | 109=bad sql grammar | 110=bad sql grammar |
   111=bad sql grammar | 112=bad sql grammar | 113=bad sql grammar | 116=bad sql grammar | 120=bad sql grammar |
   121=bad sql grammar | 123=bad sql grammar | 207=bad sql grammar | 208=bad sql grammar | 213=bad sql grammar |
   257=bad sql grammar | 512=bad sql grammar
s60 511=row too long | 530=null
s75 233=null not allowed | 515=null not allowed
t70 1105=segment full
t90 921=database not recovered yet
t95 12205=lock not acquired
t97 1205=deadlock victim
`;
