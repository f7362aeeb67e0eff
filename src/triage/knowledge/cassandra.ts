/** Cassandra and its drivers. The notation is explained in read-table.ts. */
export const cassandra = `
# cassandra code
- 0x0000=SERVER_ERROR
b45 0x2400=ALREADY_EXISTS
p60 0x2200=INVALID
p65 0x000A=PROTOCOL_ERROR
p75 0x1400=FUNCTION_FAILURE
p88 0x2000=SYNTAX_ERROR
t55 0x1003=TRUNCATE_ERROR | 0x1300=READ_FAILURE
t65? 0x1500=WRITE_FAILURE
t75 0x1600=CDC_WRITE_FAILURE
t90? 0x1100=WRITE_TIMEOUT | 0x1700=CAS_WRITE_RESULT_UNKNOWN
t92 0x2500=UNPREPARED
t93 0x1200=READ_TIMEOUT
t95 0x1000=UNAVAILABLE | 0x1002=IS_BOOTSTRAPPING
t96 0x1001=OVERLOADED
u85 0x2300=CONFIG_ERROR
u95 0x2100=UNAUTHORIZED
u97 0x0100=BAD_CREDENTIALS
# cassandra-driver class
p60 DriverInternalError
p65 com.datastax.oss.driver.api.core.servererrors.InvalidQueryException
p70 NotSupportedError
t88 com.datastax.oss.driver.api.core.AllNodesFailedException
t88? OperationTimedOutError | com.datastax.oss.driver.api.core.DriverTimeoutException
t90? com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException
t92 BusyConnectionError
t93 NoHostAvailableError
t95 com.datastax.oss.driver.api.core.servererrors.UnavailableException
u95 AuthenticationError
`;
