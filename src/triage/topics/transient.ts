import type { Topic } from "./topic.ts";

/** What passes by itself: the same message, unchanged, will likely do later. */
export const transientTopics: readonly Topic[] = [
  {
    id: "deadlock",
    confidence: 0.95,
    means: "two transactions blocked each other and this one had to give way",
    phrases: `deadlock detected | deadlock found | deadlocked | deadlock victim | was deadlocked on | deadlock loser
      | deadlock | could not serialize access | serialization failure | restart transaction | transaction retry
      | transaction was aborted | please retry your transaction | retry your operation or multi document transaction
      | rerun the transaction | try restarting transaction`,
  },
  {
    id: "lock-wait",
    confidence: 0.9,
    means: "somebody else held the lock for too long",
    phrases: `lock wait timeout | lock timeout | lock request time out | could not obtain lock | unable to lock row
      | could not acquire lock | failed to acquire lock | unable to obtain exclusive access | resource busy and acquire
      | database is locked | database table is locked | unable to acquire | cannot acquire lock | lock acquisition
      | lock not available | lock could not be acquired | currently locked by another | is currently being accessed
      | another request or + currently accessing | currently accessing it | another operation is in progress
      | another update is in progress | concurrent + in progress | operation already in progress
      | could not obtain a lock | being used by another process | used by another process | resource is locked
      | file is locked | is locked by another | lock timeout exception | locked by another`,
  },
  {
    id: "concurrent-change",
    confidence: 0.88,
    means: "somebody else changed the same thing at the same moment; read again, it will fit",
    phrases: `optimistic lock* | optimistic concurrency | stale object | stale struct | stale element | stale entry
      | stale state | write conflict | transaction conflict | object has been modified | has been modified by another
      | updated or deleted by another transaction | row was updated or deleted by | was changed by another
      | changed since it was read | data may have been modified or deleted | concurrent update
      | concurrent modification of | concurrency violation | concurrency conflict | concurrency exception
      | too much contention | contention on | wrong expected version | expected version | version mismatch on aggregate
      | etag mismatch | etag does not match | if match | condition specified using http conditional header
      | precondition failed + etag | try again with the latest | apply your changes to the latest version
      | record has changed since last read | record was modified by | modified concurrently | stale aggregate
      | conflicting request | operation aborted | conditional request conflict | restart the read
      | unexpected starting version number | unexpected version | unexpected stream version | event stream unexpected
      | wrong expected | conflicting update | lost update | dirty write`,
  },
  {
    id: "throttled",
    confidence: 0.93,
    means: "we asked too often and were told to slow down",
    phrases: `rate limit* | rate exceeded | rate is large | too many requests | toomany requests | throttl* | slow down
      | slowdown | reduce your request rate | reduce request rates | calls per second | requests per second
      | requests per minute | queries per minute | queries per second | request limit reached | request limit exceeded
      | provisioned throughput | provisioned throughput* | exceeded the rate | quota metric + minute
      | quota + per second | user rate limit exceeded | flood wait | floodwait | flood control | retry after
      | retry in + seconds | enhance your calm | bandwidth limit | concurrent rpc limit | concurrency limit
      | too many concurrent | concurrent requests | max concurrent | burst capacity | being throttled
      | api calls quota + minute | request rate + large | limit + per minute | exceeded + per second
      | exceeded + per minute | tokens per min | requests per | rate too high | too fast`,
  },
  {
    id: "overload",
    confidence: 0.88,
    means: "the other side is overloaded or short of something it will get back",
    phrases: `overload* | server is busy | server busy | system is busy | service busy | at capacity | over capacity
      | insufficient capacity | no capacity | temporarily overloaded | too many parts | too many connections
      | too many clients | max client* reached | maximum number of connections | remaining connection slots
      | connection limit exceeded | rejected execution | rejected execution* | task queue full | queue is full
      | queue full | buffer full | backpressure | back pressure | circuit breaking exception + data too large
      | oom command not allowed | out of shared memory | no space left | disk full | disk is full | disk quota exceeded
      | out of disk space | not enough disk | read only allow delete | index read only | flood stage
      | low disk watermark | resource exhausted | resources exhausted | insufficient memory in resource pool
      | memory limit + cluster | could not extend | no buffer space | too many open files | cannot fork
      | resource temporarily unavailable | producer queue | max inflight | pending queue | busy try again
      | service is busy`,
  },
  {
    id: "pool-wait",
    confidence: 0.9,
    means: "no free connection in the pool in time; nothing was sent",
    phrases: `connection pool + exhausted | pool exhausted | pool timeout | pool timed out | pool is exhausted
      | pool timeout* | could not obtain a connection from the pool | could not obtain a database connection
      | connection from pool | connection is not available request timed out
      | timeout expired + obtaining a connection from the pool | timed out fetching a new connection | queue pool limit
      | could not get a resource from the pool | timeout waiting for idle object | waiting for an open connection
      | timeout exceeded when trying to connect | unable to acquire a connection | timeout acquiring a connection
      | knex timeout | acquiring a connection | cannot get a connection pool error | request was dropped from queue
      | connection not available | timed out waiting for connection from pool | timeout waiting for connection
      | no idle connection | pool is full | max pool size | wait queue timeout | wait queue timeout*
      | connection check out timeout | too many connections checked out | all pooled connections were in use
      | pooled connection request timed out | acquire timeout | connection pool timeout | unable to acquire connection
      | increase connection pool size | excess queuing for connections | connection pool paused | pool closed
      | pool paused | no connection available | timeout waiting for a connection`,
  },
  {
    id: "connect",
    confidence: 0.9,
    means: "the connection could not be made, so nothing was sent",
    phrases: `connection refused | econnrefused | actively refused | connect timeout | connection timed out
      | connect timed out | connect timeout* | connection timeout | timed out connecting | failed to connect
      | could not connect | cannot connect | unable to connect | cannot connect* | couldn t connect | can t connect
      | error connecting | connect error | connection error | failed to establish a new connection | no route to host
      | host is unreachable | host unreachable | network is unreachable | network unreachable | ehostunreach
      | enetunreach | connect econnrefused | connect etimedout | network is down | dial tcp | tls handshake timeout
      | handshake timed out | handshake timeout | open timeout | connection attempt failed | server selection timed out
      | server selection error | server selection* | no servers available | no available server | no brokers available
      | run out of available brokers | all brokers down | no hosts available | no host available | not enough replicas
      | no living connections | no alive nodes | no nodes available | all nodes failed | broker not available
      | broker may not be available | no broker available | broker transport failure | connection to node
      | could not reach | unreachable | target machine + refused | error trying to connect | broker unreachable
      | exchange not ready | failed to get connection | connection could not be established | unable to reach
      | bootstrap broker + disconnected | leader not available | not leader | no leader | not the leader
      | leader election | is not the current leader | not master | not primary | not writable primary
      | node is recovering | cluster is down | clusterdown | masterdown | tryagain | loading the dataset
      | shutting down | is shutting down | in recovery mode | no responders | unable to resolve leader
      | coordinator not available | group coordinator + not available | rebalance in progress | rebalanc*
      | replica set + no primary | connection attempts exhausted | connection refused connection refused
      | is not connected | not currently connected | client is offline | client is closed | server is loading
      | dataset in memory | is starting up | endpoints were reachable | none of the specified endpoints
      | no endpoints available | failed to dial | dial error | connection establishment failed
      | error while reading line from the server | while reading initial communication packet`,
  },
  {
    id: "no-worker",
    confidence: 0.88,
    means: "no worker was there to take it, which passes once one runs",
    phrases: `no workers | no worker available | no available workers | no active workers | no consumers available
      | no idle workers`,
  },
  {
    id: "name-lookup",
    confidence: 0.72,
    means: "the host's name could not be resolved at that moment",
    phrases: `eai again | temporary failure in name resolution | could not resolve host | name or service not known
      | nodename nor servname | getaddrinfo | dns error | dns lookup | dns resolution | enotfound | no such host
      | name resolution | unknown host* | unknown host | failed to resolve | unable to resolve host
      | no address associated | name does not resolve | lookup + i o timeout | lookup + server misbehaving
      | remote name could not be resolved | host not found | nxdomain`,
  },
  {
    id: "connection-lost",
    confidence: 0.9,
    means: "the connection broke while the call was under way",
    effect: "if writing",
    phrases: `connection reset | econnreset | socket hang up | socket closed | socket is closed | broken pipe | epipe
      | connection closed | connection was closed | connection aborted | connection lost | lost connection
      | connection terminated | server closed the connection | other side closed | remote end closed
      | remote host closed | gone away | premature close | premature end | unexpected eof
      | unexpected end of file while reading | eof occurred | connection was killed | connection is dead
      | connection has been closed | connection is closed | closed by the remote host | forcibly closed
      | forcibly disconnected | connection dropped | connection failure | communications link failure
      | communication link failure | link failure | disconnected | transport is closing | transport endpoint
      | stream reset | stream closed | rst stream | goaway | err http2* | http2 session | connection interrupted
      | closed connection | session closed | channel closed | channel shutdown | channel is already closed
      | connection shutdown | recv failure | send failure | empty reply from server | incomplete read
      | incomplete message | chunked encoding error | protocol error | network error | networking error
      | network connection was lost | i o error on | transport error | transport glitch | socket exception
      | socket error | was inactive for too long | heartbeat timeout | missed heartbeats | missed server heartbeat
      | client exited | fetch failed | terminating connection | connection terminated unexpectedly | admin shutdown
      | server terminated abnormally | server shutdown | unexpectedly closed | server disconnected | remote peer
      | peer closed | closed before message completed | eof while reading | unexpected end of stream | eof exception`,
  },
  {
    id: "timeout",
    confidence: 0.85,
    means: "no answer came in time",
    effect: "if writing",
    phrases: `timed out | timeout | timeouts | timeout exception | timeout error | time out | deadline exceeded
      | deadline_exceeded | read timeout* | read timeout | write timeout | write timeout* | socket timeout
      | socket timeout* | request timeout | response timeout | gateway timeout | etimedout | esockettimedout
      | execution expired | execution timeout | statement timeout | canceling statement due to statement timeout
      | query timeout | operation timed out | ask timeout* | operation exceeded time limit | exceeded time limit
      | max time ms expired | no reply within | no response within | timeout period elapsed | took too long
      | timeout of + exceeded | not respond in time | did not respond | no response from | failed to respond
      | failed to respond in time | not responding | wait operation timed out
      | request was canceled due to the configured httpclient timeout | client timeout exceeded
      | has passed since batch creation | delivery timeout | expiring + record | message timed out | context deadline
      | start to close | soft time limit | soft time limit* | timed_out | time-out | timeout expired
      | timed out waiting | wait timed out | expired before | took longer than | cancelled due to timeout
      | canceled due to timeout | task was canceled | task was cancelled | operation was canceled
      | operation was cancelled | request aborted | request was aborted | request cancelled | request canceled
      | context canceled | configured http client timeout | http client timeout | request was canceled due to`,
  },
  {
    id: "unavailable",
    confidence: 0.9,
    means: "the service was not available at that moment",
    effect: "if writing",
    phrases: `service unavailable | service unavailable* | temporarily unavailable | currently unavailable
      | temporary failure | try again later | please try again | try again in | retry later | please retry
      | come back later | bad gateway | gateway time out | upstream connect error | no healthy upstream
      | upstream request timeout | upstream prematurely | under maintenance | maintenance mode | in maintenance
      | planned maintenance | unavailable | service is unavailable | backend unavailable | not available right now
      | retryable* | retriable* | 502 bad gateway | 503 service | 504 gateway | greylist* | grey listed | mailbox busy
      | internal error + retry | is not ready | not ready yet | server is starting | failing over | failover
      | switchover | read only replica | read only transaction + replica | readonly you can t write
      | cannot execute + in a read only transaction | node not ready | warming up | still starting | temporarily
      | is transient | transient error | transient failure | could not be completed at this time | at this time + try
      | down for maintenance | maintenance | down for | currently down | offline | out of service | brownout
      | service outage | outage`,
  },
  {
    id: "circuit-open",
    confidence: 0.93,
    means: "a circuit breaker was open, so the call was not even tried",
    phrases: `circuit is now open | circuit is open | circuit open | circuit breaker + open | circuit breaker is open
      | circuit breaker open* | breaker is open | breaker + open | broken circuit* | broken circuit
      | call not permitted* | does not permit further calls | not allowing calls | breaker open* | bulkhead + full
      | bulkhead full* | circuit breaker open`,
  },
  {
    id: "session-moved",
    confidence: 0.88,
    means: "work moved to another consumer or node in between; the next one carries on",
    phrases: `producer fenced | producer fenced* | fenced | fencing token | partition + revoked | generation id
      | illegal generation | unknown member id | group is rebalancing | clusterdown
      | transaction has expired or is no longer valid | transaction + expired | transaction + no longer valid
      | no such transaction | transaction + has been aborted | transient transaction error | invalid producer epoch
      | stale epoch | not the owner of the lease | lease lost | lost lease | leadership lost | lost leadership
      | noscript | is migrating | partition + migrating | migrating | partition moved | shard + relocating
      | relocating shard | is being rebalanced | being moved`,
  },
  {
    id: "lock-lost",
    confidence: 0.86,
    means: "the broker took the message back before it was acknowledged, so the handler may have finished",
    effect: "always",
    phrases: `message lock + lost | message lock lost* | lock supplied is invalid | message lock has expired
      | lock lost | session lock lost* | session lock has expired | session lock + lost | receipt handle + expired
      | receipt handle is invalid | ack deadline | acknowledgement deadline | visibility timeout + expired
      | lock expired | could not renew | lost the lock | lock has expired | commitfailed* | commit cannot be completed
      | offset commit + failed | message has already been removed | has already been removed from the queue
      | was received by a different receiver`,
  },
  {
    id: "outcome-unknown",
    confidence: 0.85,
    means: "the other side cannot say whether it was done",
    effect: "always",
    phrases: `result is ambiguous | ambiguous result | ambiguous commit | transaction is in doubt
      | transaction in doubt | unknown transaction commit | unknown transaction commit result
      | transaction resolution unknown | statement completion unknown | commit + unknown | heuristic mixed
      | heuristic mixed* | heuristic rollback | publisher confirm | confirm timeout | waiting for confirm
      | wait for confirms | unconfirmed | not confirmed | nacked by broker | commit state unknown
      | replica + acknowledged the write | write concern + timeout | waiting for replication timed out | wtimeout`,
  },
  {
    id: "ordering-race",
    confidence: 0.93,
    means: "it came before what it refers to was committed; a moment later it is there",
    phrases: `published before transaction committed | before transaction committed | before the transaction committed
      | before commit | ms earlier by | inserted + ms earlier | enqueued before | not yet committed
      | not yet replicated | not yet visible | not yet available | replication lag | eventual consistency
      | eventually consistent | ran before the commit | not committed yet`,
  },
];
