/** MQTT reason codes. The notation is explained in read-table.ts. */
export const mqtt = `
# mqtt code
- 16=no matching subscribers | 17=no subscription existed | 128=unspecified error | 131=implementation specific
p55 147=receive maximum exceeded
p60 129=malformed packet | 130=protocol error | 148=topic alias invalid
p65 143=topic filter invalid | 144=topic name invalid
s70 149=packet too large
s92 153=payload format invalid
t55 145=packet identifier in use | 152=administrative action
t60? 146=packet identifier not found
t80 156=use another server
t85 151=quota exceeded | 160=maximum connect time
t93 159=connection rate exceeded
t93? 141=keep alive timeout
t95 3=server unavailable | 150=message rate too high
t96 136=server unavailable | 137=server busy | 139=server shutting down
u60 142=session taken over
u70 157=server moved
u75 2=identifier rejected | 133=client identifier not valid | 154=retain not supported | 155=qos not supported
u80 158=shared subscriptions not supported | 161=subscription identifiers not supported |
   162=wildcard subscriptions not supported
u85 1=unacceptable protocol version | 132=unsupported protocol version
u88 138=banned
u90 140=bad authentication method
u93 135=not authorized
u95 5=not authorized
u96 4=bad username or password | 134=bad user name or password
`;
