/** Redis and its clients. The notation is explained in read-table.ts. */
export const redis = `
# redis code
- ERR=generic; text decides | EXECABORT=earlier command in MULTI failed; see it | NOTBUSY=nothing to kill
b40 BUSYGROUP=consumer group exists; usually ignorable
b60 BUSYKEY=restore target exists
p75 WRONGTYPE=key holds another type: key clash or old data
p85 CROSSSLOT=keys in different slots
s50 INVALIDOBJ=object invalid
t50 UNKILLABLE=script already wrote
t60 NOGOODSLAVE=no replica to promote
t70 MISCONF=cannot persist (disk full); writes refused | NOQUORUM=sentinel quorum
t80 OOM=maxmemory reached | NOSCRIPT=script cache empty; send EVAL again | UNBLOCKED | INPROG=failover running
t80? IOERR=migrate target io
t85 NOMASTERLINK=replica not connected
t90 BUSY=long script or module running | READONLY=wrote to a replica; failover under way |
   NOREPLICAS=too few healthy replicas
t95 MASTERDOWN=replica lost its master | MOVED=slot moved; refresh map | ASK=slot migrating |
   CLUSTERDOWN=cluster not serving
t97 LOADING=dataset loading after start | TRYAGAIN=multi-key during slot move
u70 NOGROUP
u80 NOPROTO=protocol version
u90 DENIED=protected mode
u95 NOAUTH=login missing | NOPERM=acl
u97 WRONGPASS=login wrong
# redis-client class
- ReplyError | redis.exceptions.ResponseError | redis.clients.jedis.exceptions.JedisDataException |
   StackExchange.Redis.RedisServerException | Redis::CommandError | RedisException
p75 redis.exceptions.DataError
t70 ReconnectStrategyError | redis.exceptions.LockError
t70? ClientClosedError | AbortError | redis.exceptions.LockNotOwnedError
t75? DisconnectsClientError
t80 redis.exceptions.OutOfMemoryError | redis.exceptions.NoScriptError | io.lettuce.core.RedisNoScriptException
t85 ClientOfflineError
t85? TimeoutError
t90 ClusterAllFailedError | ConnectionTimeoutError | RootNodesUnavailableError | WatchError |
   redis.exceptions.ReadOnlyError | redis.clients.jedis.exceptions.JedisBusyException |
   redis.clients.jedis.exceptions.JedisExhaustedPoolException | io.lettuce.core.RedisBusyException |
   io.lettuce.core.RedisReadOnlyException
t90? MaxRetriesPerRequestError | redis.exceptions.TimeoutError | io.lettuce.core.RedisCommandTimeoutException |
   io.lettuce.core.RedisConnectionException | StackExchange.Redis.RedisTimeoutException | Redis::TimeoutError |
   Redis::ConnectionError
t95 redis.exceptions.WatchError | redis.exceptions.ClusterDownError | Redis::CannotConnectError
t95? SocketClosedUnexpectedlyError | redis.exceptions.ConnectionError |
   redis.clients.jedis.exceptions.JedisConnectionException | StackExchange.Redis.RedisConnectionException
t97 redis.exceptions.BusyLoadingError | io.lettuce.core.RedisLoadingException
u95 redis.exceptions.AuthenticationError | redis.exceptions.NoPermissionError
# redis-client message
- redis: nil
t60 redis: client is closed
t85 Stream isn't writeable and enableOfflineQueue options is false
t85? Connection is closed. | Command timed out
t90 redis: connection pool timeout
t90? Reached the max retries per request limit
`;
