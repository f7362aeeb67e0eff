/** Libraries of the Node ecosystem. The notation is explained in read-table.ts. */
export const nodeLibs = `
# zod class
s95 ZodError | $ZodError | ZodRealError
# zod-issue code
b50 custom=refine(): schema or business rule
p80 invalid_arguments=zod issue code
p85 invalid_return_type=zod issue code
s75 too_small=limit; may be a rule | too_big=limit; may be a rule | not_multiple_of=zod issue code
s80 invalid_intersection_types=zod issue code
s85 not_finite=zod issue code
s93 invalid_union=zod issue code | invalid_string=zod issue code | invalid_format=zod issue code |
   invalid_key=zod issue code | invalid_element=zod issue code
s95 invalid_literal=zod issue code | invalid_union_discriminator=zod issue code | invalid_enum_value=zod issue code |
   unrecognized_keys=zod issue code | invalid_date=zod issue code | invalid_value=zod issue code
s96 invalid_type=zod issue code
# ajv class
s95 ValidationError
u82 MissingRefError
# ajv-keyword code
s75 minLength=limit keyword; may encode a rule | maxLength=limit keyword; may encode a rule |
   minimum=limit keyword; may encode a rule | maximum=limit keyword; may encode a rule |
   exclusiveMinimum=limit keyword; may encode a rule | exclusiveMaximum=limit keyword; may encode a rule |
   multipleOf=limit keyword; may encode a rule | minItems=limit keyword; may encode a rule |
   maxItems=limit keyword; may encode a rule | uniqueItems=limit keyword; may encode a rule
s93 type=json schema keyword | required=json schema keyword | additionalProperties=json schema keyword |
   additionalItems=json schema keyword | items=json schema keyword | contains=json schema keyword |
   enum=json schema keyword | const=json schema keyword | format=json schema keyword | pattern=json schema keyword |
   minProperties=json schema keyword | maxProperties=json schema keyword | propertyNames=json schema keyword |
   dependencies=json schema keyword | dependentRequired=json schema keyword | oneOf=json schema keyword |
   anyOf=json schema keyword | not=json schema keyword | if=json schema keyword | discriminator=json schema keyword |
   unevaluatedProperties=json schema keyword | unevaluatedItems=json schema keyword
# validation-libs class
p80 AssertionError
s70 TypeBoxError
s75 BadRequestException
s78 ValidationError
s85 ParseError
s93 ArkErrors | TransformDecodeCheckError | TransformDecodeError
s95 JoiValidationError | YupValidationError | ValiError | StructError
# typeorm class
- QueryFailedError | TypeORMError
l85 PersistedEntityNotFoundError
l92 EntityNotFoundError
p72 UpdateValuesMissingError
p75 CannotConnectAlreadyConnectedError | AlreadyHasActiveConnectionError | InsertValuesMissingError |
   SubjectWithoutIdentifierError
p82 QueryRunnerAlreadyReleasedError | QueryRunnerProviderAlreadyReleasedError | TransactionAlreadyStartedError |
   TransactionNotStartedError | MustBeEntityError | InitializedRelationError | CircularRelationsError |
   ReturningStatementNotSupportedError
p85 CannotDetermineEntityError | LimitOnUpdateNotSupportedError
p88 EntityPropertyNotFoundError | FindRelationsNotFoundError | PessimisticLockTransactionRequiredError |
   OptimisticLockCanNotBeUsedError | NoVersionOrUpdateDateColumnError | LockNotSupportedOnGivenDriverError
t65 CannotExecuteNotConnectedError | ConnectionIsNotSetError
t92 OptimisticLockVersionMismatchError
u82 ConnectionNotFoundError | DataTypeNotSupportedError | ColumnTypeUndefinedError
u85 MissingPrimaryColumnError
u88 EntityMetadataNotFoundError
u93 DriverOptionNotSetError
u95 DriverPackageNotInstalledError | MissingDriverError
# mongoose class
- MongooseError | MongooseBulkWriteError | EachAsyncMultiError
l92 DocumentNotFoundError
p82 ObjectParameterError | DivergentArrayError
p85 ParallelSaveError | ParallelValidateError | StrictPopulateError | OverwriteModelError
s80 ValidatorError
s82 ValidationError
s85 StrictModeError | ObjectExpectedError
s93 CastError
t70? MongooseBulkSaveIncompleteError
t90 VersionError
t95 MongooseServerSelectionError
u65 CreateCollectionsError
u72 SyncIndexesError
u85 InvalidSchemaOptionError | SetOptionError
u88 MissingSchemaError
# mongoose-message message
b76 E11000 duplicate key error
t93 buffering timed out after
# mongodb-driver class
- MongoServerError | MongoBulkWriteError
p60 MongoTailableCursorError
p65 MongoExpiredSessionError | MongoAPIError
p70 MongoTransactionError
p72 MongoCursorExhaustedError | MongoInvalidArgumentError
p75 MongoCursorInUseError
s60 BSONRuntimeError
s75 BSONError
t50 MongoDecompressionError | MongoGridFSChunkError
t50? MongoUnexpectedServerResponseError
t55 MongoChangeStreamError
t65 MongoClientClosedError
t75 MongoTopologyClosedError | MongoPoolClosedError
t80 MongoNotConnectedError
t82 MongoServerClosedError
t85? MongoWriteConcernError
t90? MongoOperationTimeoutError
t92 MongoStalePrimaryError
t93 MongoPoolClearedError | MongoWaitQueueTimeoutError
t93? MongoNetworkError | MongoNetworkTimeoutError
t95 MongoServerSelectionError
u82 MongoParseError | MongoAWSError | MongoAzureError | MongoGCPError
u85 MongoOIDCError
u88 MongoCompatibilityError | MongoKerberosError | BSONVersionError
u93 MongoMissingDependencyError
u95 MongoMissingCredentialsError
# sequelize class
- SequelizeDatabaseError
b76 SequelizeUniqueConstraintError
b85 SequelizeExclusionConstraintError
l80 SequelizeForeignKeyConstraintError
l88 SequelizeEmptyResultError
p70 SequelizeUnknownConstraintError
p88 SequelizeEagerLoadingError
s75 SequelizeValidationError
t60 SequelizeHostNotFoundError
t90 SequelizeTimeoutError | SequelizeConnectionError | SequelizeHostNotReachableError
t92 SequelizeOptimisticLockError
t95 SequelizeConnectionTimedOutError | SequelizeConnectionAcquireTimeoutError
t96 SequelizeConnectionRefusedError
u75 SequelizeInvalidConnectionError
u96 SequelizeAccessDeniedError
# sql-libs class
- DrizzleQueryError | DatabaseError | PostgresError
b76 UniqueConstraintViolationException | UniqueViolationError
b85 CheckViolationError
l80 ForeignKeyConstraintViolationException | ForeignKeyViolationError
l85 NoResultError | NotFoundError
s75 NotNullViolationError
t92 OptimisticLockError
t95 KnexTimeoutError
# postgres.js code
p60 MESSAGE_NOT_SUPPORTED
p75 UNDEFINED_VALUE=field absent in payload, or bug
p82 MAX_PARAMETERS_EXCEEDED
p88 UNSAFE_TRANSACTION
p93 NOT_TAGGED_CALL
t65 CONNECTION_ENDED=client ended
t75? CONNECTION_DESTROYED
t93? CONNECTION_CLOSED=closed while query ran
t95 CONNECT_TIMEOUT
u88 SASL_SIGNATURE_MISMATCH
u93 AUTH_TYPE_NOT_IMPLEMENTED
# pg-message message
p85 Client has already been connected | Query values must be an array
p90 Release called on client which has already been released
t60 Cannot use a pool after calling end on the pool
t72 Client was closed and is not queryable
t85? Connection terminated
t88? Client has encountered a connection error and is not queryable
t90 timeout expired
t90? Query read timeout
t93 Connection terminated due to connection timeout
t95 timeout exceeded when trying to connect
t95? Connection terminated unexpectedly
u92 The server does not support SSL connections
u95 SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string
# axios code
- ERR_BAD_REQUEST=status 4xx; use status
p60 ERR_DEPRECATED
p72 ERR_NOT_SUPPORT
p82 ERR_BAD_OPTION | ERR_BAD_OPTION_VALUE
t55? ERR_CANCELED
t78? ERR_BAD_RESPONSE=status 5xx, or body not parseable
t90? ECONNABORTED=timeout
t92? ERR_NETWORK | ETIMEDOUT
u65 ERR_INVALID_URL
u68 ERR_FR_TOO_MANY_REDIRECTS
# http-libs class
- HTTPError | AxiosError
t50 ParseError | CacheError
t55? CanceledError
t70? TaskCancelledError
t80? PQueueTimeout
t85 IsolatedCircuitError
t85? RequestError | FetchError
t88? ReadError
t90? TimeoutError
t93 ESEMLOCKED
t95 BrokenCircuitError | BulkheadRejectedError | EOPENBREAKER
u65 MaxRedirectsError
u75 UnsupportedProtocolError
# kafkajs class
- KafkaJSNonRetriableError | KafkaJSProtocolError | KafkaJSDeleteTopicRecordsError | KafkaJSCreateTopicError |
   KafkaJSAlterPartitionReassignmentsError | KafkaJSAggregateError
l80 KafkaJSOffsetOutOfRange
p85 KafkaJSNotImplemented
p88 KafkaJSInvariantViolation
s60 KafkaJSPartialMessageError
s70 KafkaJSUnsupportedMagicByteInMessageSet | KafkaJSInvalidLongError
s75 KafkaJSInvalidVarIntError
t50 KafkaJSError | KafkaJSDeleteGroupsError
t70 KafkaJSGroupCoordinatorNotFound
t75 KafkaJSTopicMetadataNotLoaded
t75? KafkaJSNumberOfRetriesExceeded
t80? KafkaJSTimeout
t82 KafkaJSMemberIdRequired | KafkaJSLockTimeout
t85 KafkaJSMetadataNotLoaded | KafkaJSBrokerNotFound
t88 KafkaJSStaleTopicMetadataAssignment | KafkaJSFetcherRebalanceError
t92? KafkaJSRequestTimeoutError
t93? KafkaJSConnectionError | KafkaJSConnectionClosedError
t95 KafkaJSNoBrokerAvailableError
u82 KafkaJSServerDoesNotSupportApiKey
u96 KafkaJSSASLAuthenticationError
# platformatic-kafka code
- PLT_KFK_MULTIPLE | PLT_KFK_PROTOCOL | PLT_KFK_RESPONSE
p60 PLT_KFK_UNFINISHED_WRITE_BUFFER
p72 PLT_KFK_USER
s65 PLT_KFK_OUT_OF_BOUNDS | PLT_KFK_UNSUPPORTED_FORMAT
t50? PLT_KFK_UNEXPECTED_CORRELATION_ID
t85? PLT_KFK_TIMEOUT
t93? PLT_KFK_NETWORK
u72 PLT_KFK_UNSUPPORTED
u82 PLT_KFK_UNSUPPORTED_API | PLT_KFK_UNSUPPORTED_COMPRESSION
u96 PLT_KFK_AUTHENTICATION
# queue-libs class
- UnrecoverableError | DelayedError | WaitingChildrenError | WaitingError | StandardError | TerminalError |
   NonRetriableError | ApplicationFailure | ActivityFailure
b82 WorkflowExecutionAlreadyStartedError
l88 WorkflowNotFoundError
t55? CancelledFailure
t60 ServerFailure
t70 SQSError
t80 ConnectionClosedError
t85? TimeoutFailure
t93 RetryableError | RetryAfterError
t95 RateLimitError
# queue-libs-message message
l85 Missing key for job
t72? Missing lock for job | could not renew lock for job
u88 Missing process handler for job type
# grpc-js class
- ServiceError
# auth-libs class
l60 TokenExpiredError | JWTExpired
s65 JWSSignatureVerificationFailed
s72 JsonWebTokenError
t70 NotBeforeError
t92 JWKSTimeout
u68 JWKSNoMatchingKey
# nestjs class
- InternalServerErrorException | RpcException
b60 UnprocessableEntityException
b72 ConflictException
l78 NotFoundException
l90 GoneException
p82 NotImplementedException
s72 BadRequestException | PayloadTooLargeException
t90? RequestTimeoutException
t92? GatewayTimeoutException | BadGatewayException
t96 ServiceUnavailableException
u82 ForbiddenException
u92 UnauthorizedException
# llm-sdk class
s68 UnprocessableEntityError
s70 BadRequestError
t50? APIUserAbortError
t60 ConflictError
t85? InternalServerError
t92? APIConnectionTimeoutError
t93 RateLimitError
t93? APIConnectionError
t95 OverloadedError
u65 NotFoundError
u93 PermissionDeniedError
u96 AuthenticationError
`;
