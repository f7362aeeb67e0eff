/** Prisma. The notation is explained in read-table.ts. */
export const prisma = `
# prisma code
- P2010=raw query failed; see database code | P2027=several database errors |
   P2036=external connector (driver adapter) | P6000=accelerate: generic
b50 P2035=assertion in database
b68 P2014=would break required relation
b70 P2004=constraint failed
b76 P2002=unique constraint; often already processed
l65 P2017=records not connected
l82 P2003=foreign key: referenced record missing
l85 P2001=record not found
l88 P2015=related record not found | P2018=required connected records missing | P2025=required record not found
p55 P2016=query interpretation | P6009=accelerate: response too large
p65 P6005=accelerate: parameters
p70 P1014=model has no table behind it; migration | P2009=query not valid | P2026=provider lacks feature |
   P2029=too many query parameters
p75 P2008=query not parseable
p78 P2021=table missing; migration
p80 P1016=raw query parameter count | P2022=column missing; migration
s65 P2013=required argument missing
s70 P2005=stored value does not fit field type | P2019=input error | P2023=inconsistent column data, e.g. malformed id
s78 P2011=null constraint | P2012=required value missing | P2033=number too large for 64 bit
s82 P2007=data validation
s85 P2006=value not valid for field | P2020=value out of range
s88 P2000=value too long
t72 P2028
t85 P6008=accelerate: engine start or connect
t85? P6004=accelerate: query timeout
t90? P1008=operation timed out
t93 P1002=reached but timed out
t95 P1001=server unreachable | P2024=connection pool timeout | P2037=too many connections |
   P5011=accelerate: too many requests
t95? P1017=server closed connection
t97 P2034=write conflict or deadlock
u50 P1009=database exists
u70 P2030=full-text index missing | P3000=migrate tool, not runtime | P3001=migrate tool, not runtime |
   P3002=migrate tool, not runtime | P3003=migrate tool, not runtime | P3004=migrate tool, not runtime |
   P3005=migrate tool, not runtime | P3006=migrate tool, not runtime | P3007=migrate tool, not runtime |
   P3008=migrate tool, not runtime | P3009=migrate tool, not runtime | P3010=migrate tool, not runtime |
   P3011=migrate tool, not runtime | P3012=migrate tool, not runtime | P3013=migrate tool, not runtime |
   P3014=migrate tool, not runtime | P3015=migrate tool, not runtime | P3016=migrate tool, not runtime |
   P3017=migrate tool, not runtime | P3018=migrate tool, not runtime | P3019=migrate tool, not runtime |
   P3020=migrate tool, not runtime | P3021=migrate tool, not runtime | P3022=migrate tool, not runtime |
   P3023=migrate tool, not runtime | P3024=migrate tool, not runtime | P4000=introspection tool, not runtime |
   P4001=introspection tool, not runtime | P4002=introspection tool, not runtime
u75 P1015=database version too old
u80 P1011=tls | P6003=accelerate: plan limit | P6006=accelerate: version
u85 P1012=schema file invalid
u88 P1003=database missing | P6010=accelerate: project disabled
u90 P2031=mongodb needs replica set | P6001=accelerate: data source url
u92 P1013=connection string
u95 P1010=access denied
u96 P6002=accelerate: api key
u97 P1000=login failed
# prisma-class class
- PrismaClientKnownRequestError | PrismaClientUnknownRequestError
p50? PrismaClientRustPanicError
p65 PrismaClientValidationError
t55 PrismaClientInitializationError
`;
