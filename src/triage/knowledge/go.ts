/** Go error texts and types. The notation is explained in read-table.ts. */
export const go = `
# go message
- rpc error: code = Internal | rpc error: code = Unknown | temporal: activity error
b50 file already exists
b75 rpc error: code = AlreadyExists | rpc error: code = FailedPrecondition
b76 pq: duplicate key value violates unique constraint | Error 1062 | E11000 duplicate key error
l50 redis: nil
l55 no such file or directory
l78 rpc error: code = NotFound
l85 sql: no rows in result set
l88 mongo: no documents in result | etcdserver: mvcc: required revision has been compacted
p60 busy buffer
p65 sql: transaction has already been committed or rolled back | rpc error: code = Unimplemented
p70 converting NULL to | commands out of sync
p75 sql: expected | conn busy | json: unsupported value
p85 interface conversion:
p88 json: unsupported type | reflect: call of | stack overflow
p90 runtime error: integer divide by zero
p92 runtime error: invalid memory address or nil pointer dereference | runtime error: index out of range |
   runtime error: slice bounds out of range
p93 send on closed channel | close of closed channel | all goroutines are asleep - deadlock
p95 assignment to entry in nil map | concurrent map writes | concurrent map read and map write
s60 sql: Scan error | invalid syntax | kafka server: Message was too large
s72 http: request body too large | value out of range
s75 json: invalid use of ,string struct tag
s82 strconv.ParseInt | strconv.ParseFloat | strconv.ParseBool | strconv.Atoi
s85 proto: (line | rpc error: code = InvalidArgument
s90 flate: corrupt input before offset | yaml: unmarshal errors | proto: syntax error
s92 parsing time | invalid UUID length | invalid UUID format | illegal base64 data at input byte |
   encoding/hex: invalid byte | gzip: invalid header | zlib: invalid header | Field validation for
s93 invalid character | json: unknown field | proto: required field
s95 unexpected end of JSON input | XML syntax error
s96 json: cannot unmarshal | proto: cannot parse invalid wire-format data
t50 out of memory
t50? EOF | rpc error: code = Canceled
t60 no such host | sql: database is closed | closed pool
t60? context canceled | signal: killed
t65? unexpected EOF
t75 too many open files | no space left on device
t75? sql: connection is already closed
t78 rpc error: code = ResourceExhausted
t80? use of closed network connection
t85 server misbehaving | rate: Wait(n=
t85? server closed the stream without sending trailers | http: Handler timeout
t88 network is unreachable | failed to connect to
t88? Client.Timeout or context cancellation while reading body | rpc error: code = DeadlineExceeded
t90 no route to host | TLS handshake timeout | rpc error: code = Aborted
t90? context deadline exceeded | invalid connection | kafka server: Request exceeded the user-specified time limit
t92? Client.Timeout exceeded while awaiting headers | http2: server sent GOAWAY | etcdserver: request timed out
t93 server selection error | too many requests
t93? i/o timeout | broken pipe | http: server closed idle connection | bad connection | driver: bad connection |
   etcdserver: leader changed
t95 Error 1205 | circuit breaker is open | kafka: client has run out of available brokers |
   kafka server: In the middle of a leadership election
t95? connection reset by peer | rpc error: code = Unavailable
t96 connection refused
t97 Error 1213
u60 malformed HTTP response
u70 environment variable
u72 oauth2: cannot fetch token
u75 remote error: tls:
u78 unsupported protocol scheme | tls: handshake failure
u85 permission denied | invalid configuration
u90 server gave HTTP response to HTTPS client | x509:
u95 rpc error: code = PermissionDenied | rpc error: code = Unauthenticated
# go-type class
- *os.PathError | *fs.PathError | *pgconn.PgError | *pq.Error | *mysql.MySQLError | io.EOF | redis.Nil
b76 gorm.ErrDuplicatedKey
b85 gorm.ErrCheckConstraintViolated
l55 os.ErrNotExist
l80 gorm.ErrForeignKeyViolated
l85 pgx.ErrNoRows | sql.ErrNoRows
l88 gorm.ErrRecordNotFound | mongo.ErrNoDocuments
p65 pgx.ErrTxClosed | sql.ErrTxDone
p70 gorm.ErrInvalidData
p80 *json.MarshalerError
p90 runtime.Error
p93 *json.InvalidUnmarshalError
s85 *strconv.NumError
s92 *time.ParseError
s93 validator.ValidationErrors
s95 *xml.SyntaxError
s96 *json.SyntaxError | *json.UnmarshalTypeError
t60? io.ErrUnexpectedEOF | context.Canceled
t65 *net.DNSError
t75? sql.ErrConnDone
t80 http.ErrServerClosed
t80? *url.Error
t85? *net.OpError | http.ErrHandlerTimeout | amqp091.ErrClosed
t88? kafka.ErrMsgTimedOut
t90 *pgconn.ConnectError
t90? os.ErrDeadlineExceeded | context.DeadlineExceeded
t93 redis.ErrPoolTimeout
t95 sarama.ErrOutOfBrokers | gobreaker.ErrOpenState | gobreaker.ErrTooManyRequests
t95? syscall.ECONNRESET
t96 syscall.ECONNREFUSED
u88 os.ErrPermission
`;
