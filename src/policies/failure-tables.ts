import type { FailureKind } from "../domain/handler-errors.ts";

/**
 * What well-known codes and class names say about a failure.
 *
 * Transient is what passes by itself for the same message, unchanged; only what is sure, or can do no harm because
 * nothing was sent yet, stands under it. Schema: the bytes or fields do not fit. Business: a rule or the state of
 * things says no. Integration: credentials, rights, certificates, set-up. What is not listed is unknown.
 */
type Table = ReadonlyMap<string, FailureKind>;

/** Codes that mean one thing whoever says them: errno, Node, undici, TLS, drivers, our own. */
export const codeKinds = table({
  transient: `
    EAGAIN EAI_AGAIN EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH EINTR EMFILE ENETDOWN ENETRESET
    ENETUNREACH ENFILE ENOBUFS ENONET ENOSPC ENOTCONN ENOTFOUND EADDRNOTAVAIL EPIPE ESHUTDOWN ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT
    ESERVFAIL EDEADLK ENOLCK ESTALE ECONNCLOSED
    UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH HPE_INVALID_EOF_STATE HPE_CLOSED_CONNECTION
    ERR_HTTP2_GOAWAY_SESSION ERR_HTTP2_INVALID_SESSION ERR_HTTP2_OUT_OF_STREAMS ERR_HTTP2_PING_CANCEL
    ERR_HTTP2_SESSION_ERROR ERR_HTTP2_STREAM_ERROR ERR_HTTP_REQUEST_TIMEOUT ERR_IPC_CHANNEL_CLOSED ERR_NETWORK
    ERR_SOCKET_CLOSED ERR_SOCKET_CLOSED_BEFORE_CONNECTION ERR_SOCKET_CONNECTION_TIMEOUT ERR_STREAM_PREMATURE_CLOSE
    ERR_TLS_HANDSHAKE_TIMEOUT ERR_SSL_UNEXPECTED_EOF_WHILE_READING
    CONNECTION_CLOSED CONNECTION_DESTROYED CONNECT_TIMEOUT
    ER_LOCK_DEADLOCK ER_LOCK_WAIT_TIMEOUT ER_LOCK_NOWAIT ER_CON_COUNT_ERROR ER_TOO_MANY_USER_CONNECTIONS
    ER_SERVER_SHUTDOWN ER_QUERY_TIMEOUT ER_CLIENT_INTERACTION_TIMEOUT PROTOCOL_CONNECTION_LOST
    PROTOCOL_SEQUENCE_TIMEOUT POOL_CONNLIMIT POOL_ENQUEUELIMIT POOL_NONEONLINE
    SQLITE_BUSY SQLITE_LOCKED P1001 P1002 P1008 P1017 P2024 P2034
    PLT_KFK_NETWORK PLT_KFK_TIMEOUT EOPENBREAKER ESEMLOCKED
    BREAKER_OPEN TRANSPORT_UNAVAILABLE UNKNOWN_ANSWER STORE_UNAVAILABLE`,
  schema: `
    EILSEQ ERR_ENCODING_INVALID_ENCODED_DATA ERR_INVALID_MIME_SYNTAX ER_BAD_NULL_ERROR ER_DATA_TOO_LONG
    ER_TRUNCATED_WRONG_VALUE_FOR_FIELD ER_WARN_DATA_OUT_OF_RANGE P2000 INVALID_MESSAGE MESSAGE_TOO_LARGE`,
  business: `
    ER_DUP_ENTRY ER_CHECK_CONSTRAINT_VIOLATED ER_SIGNAL_EXCEPTION SQLITE_CONSTRAINT_UNIQUE SQLITE_CONSTRAINT_PRIMARYKEY
    SQLITE_CONSTRAINT_CHECK P2002`,
  integration: `
    EACCES EPERM EROFS ER_ACCESS_DENIED_ERROR ER_DBACCESS_DENIED_ERROR P1000 P1010
    CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_UNTRUSTED CERT_REJECTED CERT_SIGNATURE_FAILURE
    DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH ERR_TLS_CERT_ALTNAME_INVALID
    ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_TLSV1_ALERT_UNKNOWN_CA ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION
    ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE ERR_SSL_NO_SHARED_CIPHER MISSING_CLIENT_LIBRARY`,
});

/** Error classes that libraries throw. Names that many share for different things are left out. */
export const classKinds = table({
  transient: `
    AbortError TimeoutError ConnectTimeoutError HeadersTimeoutError BodyTimeoutError SocketError BreakerOpen
    BrokenCircuitError IsolatedCircuitError BulkheadRejectedError TaskCancelledError RateLimitError OverloadedError
    APIConnectionError APIConnectionTimeoutError RequestTimeoutException ServiceUnavailableException
    GatewayTimeoutException BadGatewayException
    ThrottlingException Throttling ThrottledException RequestThrottled RequestThrottledException RequestLimitExceeded
    TooManyRequestsException ProvisionedThroughputExceededException TransactionConflictException
    TransactionInProgressException SlowDown ServiceUnavailable InternalServerError InternalServerException
    InternalServiceError RequestTimeout PriorRequestNotComplete EC2ThrottledException KMSThrottlingException
    MongoNetworkError MongoNetworkTimeoutError MongoServerSelectionError MongoOperationTimeoutError
    MongoNotConnectedError MongoStalePrimaryError MongoPoolClearedError MongoWaitQueueTimeoutError
    MongoServerClosedError MongooseServerSelectionError VersionError
    SequelizeTimeoutError SequelizeConnectionError SequelizeConnectionRefusedError SequelizeConnectionTimedOutError
    SequelizeConnectionAcquireTimeoutError SequelizeHostNotReachableError SequelizeOptimisticLockError
    KnexTimeoutError OptimisticLockError OptimisticLockVersionMismatchError
    MaxRetriesPerRequestError ClusterAllFailedError ConnectionTimeoutError SocketClosedUnexpectedlyError
    ClientOfflineError WatchError
    KafkaJSConnectionError KafkaJSConnectionClosedError KafkaJSRequestTimeoutError KafkaJSNoBrokerAvailableError
    KafkaJSBrokerNotFound KafkaJSMetadataNotLoaded KafkaJSFetcherRebalanceError KafkaJSTimeout KafkaJSLockTimeout`,
  schema: `
    ZodError $ZodError ZodRealError ValiError ArkErrors StructError ValidationError JoiValidationError
    YupValidationError TransformDecodeError TransformDecodeCheckError SchemaError CastError ValidatorError
    StrictModeError ObjectExpectedError BSONError NotNullViolationError SequelizeValidationError URIError`,
  business: `
    UniqueViolationError UniqueConstraintViolationException CheckViolationError SequelizeUniqueConstraintError
    SequelizeExclusionConstraintError`,
  integration: `
    AccessDeniedException AccessDenied AuthFailure ExpiredTokenException InvalidClientTokenId
    InvalidSignatureException SignatureDoesNotMatch UnrecognizedClientException MissingAuthenticationToken
    UnauthorizedException ForbiddenException PermissionDeniedError CredentialsProviderError`,
});

/** gRPC and Connect, by number and by name. */
export const grpcKinds = table({
  transient: "4 8 10 14 DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED UNAVAILABLE",
  schema: "3 INVALID_ARGUMENT",
  business: "6 9 ALREADY_EXISTS FAILED_PRECONDITION",
  integration: "7 16 PERMISSION_DENIED UNAUTHENTICATED",
});

/** MongoDB's server codes. */
export const mongoKinds = table({
  transient:
    "6 24 46 64 89 91 112 133 134 189 216 246 262 317 365 384 433 449 462 9001 10058 10107 11600 11602 13435 13436",
  schema: "121",
  business: "11000 11001",
  integration: "13 18",
});

/** First words of Redis error replies. */
export const redisKinds = table({
  transient: "ASK BUSY CLUSTERDOWN LOADING MASTERDOWN MOVED NOREPLICAS OOM READONLY TRYAGAIN",
  integration: "NOAUTH NOPERM WRONGPASS",
});

/** SQLSTATEs; five characters win over the two of their class. */
const sqlStateKinds = table({
  transient: "08 40 53 57 25006 25P03 25P04 55006 55P03 HYT00 HYT01",
  schema: "22 23502",
  business: "23 44 45 40002 P0001",
  integration: "28 3D 3F 42501 57P04",
  // A missing parent may still be on its way; a division by zero, a used-up sequence or a torn protocol is somebody's mistake.
  unknown: "23503 22012 2200H 08P01",
});

export function sqlStateKind(state: string): FailureKind | undefined {
  return sqlStateKinds.get(state) ?? sqlStateKinds.get(state.slice(0, 2));
}

/** Statuses that are not what their hundred says. */
const statusKinds = table({
  transient: "408 423 425 429 444 449 499",
  schema: "400 413 415 422",
  business: "402 451",
  integration: "401 403 405 406 407 426 495 496 497 501 505 511 525 526 561",
  // Server side, but not by overload or outage: the same request will meet the same answer.
  unknown: "506 508 510",
});

export function statusKind(status: number): FailureKind | undefined {
  return statusKinds.get(String(status)) ?? (status >= 500 && status <= 599 ? "transient" : undefined);
}

/** What drivers say without a code. A message that begins so is taken at its word. */
const messageKinds: readonly (readonly [string, FailureKind])[] = [
  ["Connection terminated", "transient"],
  ["timeout exceeded when trying to connect", "transient"],
  ["Query read timeout", "transient"],
  ["Client has encountered a connection error", "transient"],
  ["Connection is closed.", "transient"],
  ["Command timed out", "transient"],
  ["buffering timed out after", "transient"],
];

export function messageKind(message: string): FailureKind | undefined {
  return messageKinds.find(([beginning]) => message.startsWith(beginning))?.[1];
}

function table(kinds: Partial<Record<FailureKind, string>>): Table {
  return new Map(
    Object.entries(kinds).flatMap(([kind, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, kind as FailureKind] as const),
    ),
  );
}
