/** Schema registries. The notation is explained in read-table.ts. */
export const schemaRegistry = `
# schema-registry code
b40 40903=association exists for resource | 40904=association exists for subject | 40905=strong association exists |
   42211=context not empty
b50 42206=reference exists
p60 42202=invalid version
s50 50005=json parse error in client
s60 42207=id does not match | 42209=schema too large
s65 40403=schema not found
s88 42201=invalid schema
s93 40901=incompatible schema
t88 50001=store error
t90? 50003=request forwarding failed
t92? 50002=operation timeout
t95 50004=unknown leader
u50 40405=subject not soft deleted | 40407=version not soft deleted | 40410=association not found |
   40902=too many associations | 40907=no active subject version | 40908=association frozen |
   42212=invalid association | 42213=association batch limit
u60 40408=no subject compatibility | 40409=no subject mode
u65 40404=subject soft deleted | 40406=version soft deleted | 42208=invalid subject | 42210=invalid ruleset
u70 40401=subject not found | 40402=version not found
u75 42203=invalid compatibility level | 42204=invalid mode | 42205=operation not permitted
`;
