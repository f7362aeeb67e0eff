/** AMQP 0.9.1 and RabbitMQ. The notation is explained in read-table.ts. */
export const amqp091 = `
# amqp091 code
- 406=PRECONDITION-FAILED
p50? 501=FRAME-ERROR | 504=CHANNEL-ERROR
p60 502=SYNTAX-ERROR
p60? 505=UNEXPECTED-FRAME
p65 503=COMMAND-INVALID | 540=NOT-IMPLEMENTED
s60 311=CONTENT-TOO-LARGE
t60 313=NO-CONSUMERS
t65? 541=INTERNAL-ERROR
t70 405=RESOURCE-LOCKED
t70? 506=RESOURCE-ERROR
t95? 320=CONNECTION-FORCED
u75 312=NO-ROUTE | 404=NOT-FOUND | 530=NOT-ALLOWED
u85 402=INVALID-PATH
u90 403=ACCESS-REFUSED
# amqp091-death-reason reason
- rejected
- delivery_limit=returned too often: poison, or long outage
t50 expired=ttl passed before anyone took it
t55 maxlen=queue length limit dropped it
# amqp091-client message
- Channel closed by server
p70 unknown delivery tag
t55? IllegalOperationError
t60 Operation timed out: delivery acknowledgement on channel
t75 Socket closed abruptly during opening handshake
t80? message nacked
t85? Unexpected close
t95? Connection closed: 320 | Heartbeat timeout
u90 inequivalent arg
`;
