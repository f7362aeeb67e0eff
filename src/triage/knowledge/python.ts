/** Python exception classes. The notation is explained in read-table.ts. */
export const python = `
# python class
- ValueError | GeneratorExit | RuntimeError | Exception | BaseException | ExceptionGroup | OSError | IOError |
   urllib.error.HTTPError | smtplib.SMTPDataError | subprocess.CalledProcessError | queue.Empty |
   requests.exceptions.HTTPError | requests.exceptions.RequestException | httpx.HTTPStatusError |
   aiohttp.ClientResponseError | confluent_kafka.schema_registry.error.SchemaRegistryError |
   confluent_kafka.error.ConsumeError | confluent_kafka.KafkaException | sqlalchemy.exc.InternalError |
   sqlalchemy.exc.DatabaseError | sqlalchemy.exc.DBAPIError | django.db.utils.InternalError |
   django.db.utils.DatabaseError | psycopg2.InternalError | pymysql.err.InternalError |
   oracledb.exceptions.DatabaseError | pyodbc.Error | pymongo.errors.OperationFailure | pymongo.errors.WriteError |
   pymongo.errors.BulkWriteError | elasticsearch.helpers.BulkIndexError | celery.exceptions.MaxRetriesExceededError |
   celery.exceptions.ChordError | celery.exceptions.Ignore | celery.exceptions.Reject |
   amqp.exceptions.PreconditionFailed | pika.exceptions.ChannelClosedByBroker | botocore.exceptions.ClientError |
   google.api_core.exceptions.Unknown | azure.core.exceptions.HttpResponseError | grpc.RpcError |
   grpc._channel._InactiveRpcError | temporalio.exceptions.ApplicationError |
   twilio.base.exceptions.TwilioRestException | tenacity.RetryError | docker.errors.APIError | psycopg.errors.NoData |
   psycopg.errors.NoAdditionalDynamicResultSetsReturned | psycopg.errors.TriggeredActionException |
   psycopg.errors.FdwError | psycopg.errors.FdwDynamicParameterValueNeeded |
   psycopg.errors.FdwInvalidDataTypeDescriptors | psycopg.errors.FdwInvalidColumnName |
   psycopg.errors.FdwInvalidColumnNumber | psycopg.errors.FdwInvalidUseOfNullPointer |
   psycopg.errors.FdwInvalidStringFormat | psycopg.errors.FdwInvalidHandle | psycopg.errors.FdwInvalidOptionIndex |
   psycopg.errors.FdwInvalidOptionName | psycopg.errors.FdwOptionNameNotFound | psycopg.errors.FdwReplyHandle |
   psycopg.errors.FdwUnableToCreateExecution | psycopg.errors.FdwUnableToCreateReply | psycopg.errors.FdwNoSchemas |
   psycopg.errors.FdwSchemaNotFound | psycopg.errors.FdwFunctionSequenceError | psycopg.errors.FdwTooManyHandles |
   psycopg.errors.FdwInconsistentDescriptorInformation | psycopg.errors.FdwInvalidAttributeValue |
   psycopg.errors.FdwInvalidStringLengthOrBufferLength | psycopg.errors.FdwInvalidDescriptorFieldIdentifier |
   psycopg.errors.PlpgsqlError | psycopg.errors.InternalError_
b40 psycopg.errors.DuplicateObject | psycopg.errors.DuplicateFunction | psycopg.errors.DuplicateDatabase |
   psycopg.errors.DuplicateSchema | psycopg.errors.DuplicateTable
b50 FileExistsError | psycopg.errors.TriggeredDataChangeViolation
b60 smtplib.SMTPRecipientsRefused | elasticsearch.ConflictError | google.api_core.exceptions.Conflict |
   psycopg.errors.IntegrityConstraintViolation | psycopg.errors.TransactionIntegrityConstraintViolation
b65 sqlite3.IntegrityError | sqlalchemy.exc.IntegrityError | django.db.utils.IntegrityError | peewee.IntegrityError |
   tortoise.exceptions.IntegrityError | psycopg2.IntegrityError | pymysql.err.IntegrityError | MySQLdb.IntegrityError |
   oracledb.exceptions.IntegrityError | pyodbc.IntegrityError | psycopg.errors.RestrictViolation
b70 celery.exceptions.TaskRevokedError | azure.core.exceptions.ResourceExistsError
b72 google.api_core.exceptions.FailedPrecondition
b75 google.api_core.exceptions.AlreadyExists | psycopg.errors.UniqueViolation |
   psycopg.errors.WithCheckOptionViolation | psycopg.errors.RaiseException
b76 psycopg2.errors.UniqueViolation | asyncpg.exceptions.UniqueViolationError | pymongo.errors.DuplicateKeyError
b85 asyncpg.exceptions.CheckViolationError | psycopg.errors.CheckViolation | psycopg.errors.ExclusionViolation
b90 stripe.error.CardError | stripe.CardError
l50 ProcessLookupError
l60 FileNotFoundError | jwt.exceptions.ExpiredSignatureError
l75 rest_framework.exceptions.NotFound | elasticsearch.NotFoundError | google.api_core.exceptions.NotFound |
   azure.core.exceptions.ResourceNotFoundError
l80 asyncpg.exceptions.ForeignKeyViolationError | psycopg.errors.ForeignKeyViolation | psycopg.errors.NoDataFound
l88 sqlalchemy.exc.NoResultFound | sqlalchemy.orm.exc.NoResultFound | sqlalchemy.orm.exc.ObjectDeletedError |
   DoesNotExist
l90 django.core.exceptions.ObjectDoesNotExist | tortoise.exceptions.DoesNotExist | rq.exceptions.NoSuchJobError
p50 SystemError | ChildProcessError | sqlalchemy.exc.PendingRollbackError |
   psycopg.errors.NonstandardUseOfEscapeCharacter | psycopg.errors.ExternalRoutineException |
   psycopg.errors.ContainingSqlNotPermitted | psycopg.errors.ModifyingSqlDataNotPermittedExt |
   psycopg.errors.ProhibitedSqlStatementAttemptedExt | psycopg.errors.ReadingSqlDataNotPermittedExt
p55 LookupError | sqlalchemy.exc.StatementError | asyncpg.exceptions.InterfaceError | psycopg.errors.ProtocolViolation |
   psycopg.errors.CaseNotFound | psycopg.errors.CardinalityViolation | psycopg.errors.InFailedSqlTransaction |
   psycopg.errors.ProgramLimitExceeded
p60 KeyError | OverflowError | BufferError | NotADirectoryError | http.client.CannotSendRequest |
   sqlalchemy.exc.MultipleResultsFound | sqlalchemy.exc.ResourceClosedError |
   django.core.exceptions.MultipleObjectsReturned | psycopg.errors.LocatorException |
   psycopg.errors.InvalidLocatorSpecification | psycopg.errors.InvalidArgumentForXquery |
   psycopg.errors.NullValueNoIndicatorParameter | psycopg.errors.InvalidEscapeOctet |
   psycopg.errors.InvalidIndicatorParameterValue | psycopg.errors.SubstringError |
   psycopg.errors.InvalidEscapeCharacter | psycopg.errors.IndicatorOverflow | psycopg.errors.UnterminatedCString |
   psycopg.errors.InvalidEscapeSequence | psycopg.errors.TrimError |
   psycopg.errors.InvalidArgumentForSqlJsonDatetimeFunction | psycopg.errors.InvalidSqlJsonSubscript |
   psycopg.errors.SqlRoutineException | psycopg.errors.ModifyingSqlDataNotPermitted |
   psycopg.errors.ProhibitedSqlStatementAttempted | psycopg.errors.ReadingSqlDataNotPermitted |
   psycopg.errors.FunctionExecutedNoReturnStatement | psycopg.errors.ExternalRoutineInvocationException |
   psycopg.errors.InvalidSqlstateReturned | psycopg.errors.NullValueNotAllowedExt |
   psycopg.errors.TriggerProtocolViolated | psycopg.errors.SrfProtocolViolated |
   psycopg.errors.EventTriggerProtocolViolated | psycopg.errors.NameTooLong | psycopg.errors.FdwTableNotFound |
   psycopg.errors.TooManyRows
p65 FloatingPointError | StopIteration | StopAsyncIteration | IsADirectoryError | sqlite3.InterfaceError |
   requests.exceptions.InvalidHeader | psycopg.errors.InvalidPrecedingOrFollowingSize |
   psycopg.errors.InvalidRegularExpression | psycopg.errors.ArraySubscriptError |
   psycopg.errors.InvalidTablesampleRepeat | psycopg.errors.InvalidTablesampleArgument |
   psycopg.errors.FloatingPointException | psycopg.errors.IndeterminateDatatype | psycopg.errors.StatementTooComplex |
   psycopg.errors.FdwColumnNameNotFound
p70 ArithmeticError | ReferenceError | httpx.LocalProtocolError | sqlalchemy.orm.exc.FlushError |
   azure.servicebus.exceptions.MessageAlreadySettled | psycopg.errors.SqlStatementNotYetComplete |
   psycopg.errors.FeatureNotSupported | psycopg.errors.DiagnosticsException |
   psycopg.errors.StackedDiagnosticsAccessedWithoutActiveHandler | psycopg.errors.InvalidArgumentForNtileFunction |
   psycopg.errors.InvalidArgumentForNthValueFunction | psycopg.errors.InvalidArgumentForLogarithm |
   psycopg.errors.InvalidArgumentForPowerFunction | psycopg.errors.InvalidArgumentForWidthBucketFunction |
   psycopg.errors.InvalidRowCountInLimitClause | psycopg.errors.InvalidRowCountInResultOffsetClause |
   psycopg.errors.InvalidTransactionState | psycopg.errors.ActiveSqlTransaction |
   psycopg.errors.BranchTransactionAlreadyActive | psycopg.errors.InappropriateAccessModeForBranchTransaction |
   psycopg.errors.InappropriateIsolationLevelForBranchTransaction |
   psycopg.errors.NoActiveSqlTransactionForBranchTransaction | psycopg.errors.SchemaAndDataStatementMixingNotSupported |
   psycopg.errors.HeldCursorRequiresSameIsolationLevel | psycopg.errors.SavepointException |
   psycopg.errors.InvalidSavepointSpecification | psycopg.errors.UndefinedObject | psycopg.errors.InvalidForeignKey |
   psycopg.errors.TooManyColumns | psycopg.errors.TooManyArguments
p75 TypeError | IndexError | asyncio.InvalidStateError | re.error | google.protobuf.message.EncodeError |
   sqlalchemy.exc.InvalidRequestError | sqlalchemy.exc.NoSuchTableError |
   django.db.transaction.TransactionManagementError | asyncpg.exceptions.UndefinedTableError |
   kombu.exceptions.MessageStateError | psycopg.errors.InvalidTransactionInitiation | psycopg.errors.DivisionByZero |
   psycopg.errors.InvalidCursorState | psycopg.errors.NoActiveSqlTransaction |
   psycopg.errors.InvalidTransactionTermination | psycopg.errors.InvalidCursorName | psycopg.errors.InvalidName |
   psycopg.errors.InvalidColumnDefinition | psycopg.errors.UndefinedFunction | psycopg.errors.GeneratedAlways |
   psycopg.errors.UndefinedTable
p78 AssertionError | pydantic_core.PydanticSerializationError
p80 AttributeError | ZeroDivisionError | pickle.PicklingError | requests.exceptions.StreamConsumedError |
   orjson.JSONEncodeError | sqlalchemy.exc.NotSupportedError | sqlalchemy.exc.IllegalStateChangeError |
   sqlalchemy.exc.CircularDependencyError | asyncpg.exceptions.UndefinedColumnError | pyodbc.ProgrammingError |
   kombu.exceptions.NotBoundError | stripe.IdempotencyError | psycopg.errors.SyntaxErrorOrAccessRuleViolation |
   psycopg.errors.UndefinedColumn | psycopg.errors.DuplicateAlias | psycopg.errors.AmbiguousFunction |
   psycopg.errors.GroupingError | psycopg.errors.WrongObjectType | psycopg.errors.ReservedName |
   psycopg.errors.UndefinedParameter | psycopg.errors.DuplicateCursor | psycopg.errors.AmbiguousParameter |
   psycopg.errors.AmbiguousAlias | psycopg.errors.InvalidColumnReference | psycopg.errors.InvalidCursorDefinition |
   psycopg.errors.InvalidDatabaseDefinition | psycopg.errors.InvalidFunctionDefinition |
   psycopg.errors.InvalidPreparedStatementDefinition | psycopg.errors.InvalidSchemaDefinition |
   psycopg.errors.InvalidTableDefinition | psycopg.errors.InvalidObjectDefinition | psycopg.errors.InvalidRecursion |
   psycopg.errors.WindowingError | psycopg.errors.CollationMismatch | psycopg.errors.IndeterminateCollation |
   psycopg.errors.AssertFailure
p82 sqlite3.ProgrammingError | sqlalchemy.exc.ProgrammingError | sqlalchemy.exc.NoSuchColumnError |
   django.db.utils.ProgrammingError | django.core.exceptions.FieldDoesNotExist | psycopg2.ProgrammingError |
   pymysql.err.ProgrammingError | kombu.exceptions.EncodeError
p85 RecursionError | sqlalchemy.exc.ArgumentError | sqlalchemy.exc.CompileError | django.core.exceptions.FieldError |
   jinja2.exceptions.TemplateSyntaxError | psycopg.errors.SyntaxError | psycopg.errors.AmbiguousColumn
p88 NotImplementedError | SyntaxError | dataclasses.FrozenInstanceError | attr.exceptions.FrozenInstanceError |
   sqlalchemy.orm.exc.DetachedInstanceError
p90 pydantic.errors.PydanticUserError | sqlalchemy.exc.MissingGreenlet
p93 NameError | UnboundLocalError | IndentationError
s50 EOFError
s55 psycopg.errors.DataException | psycopg.errors.DatatypeMismatch | psycopg.errors.CannotCoerce |
   psycopg.errors.FdwInvalidDataType
s60 kafka.errors.MessageSizeTooLargeError | botocore.exceptions.ParamValidationError | stripe.InvalidRequestError |
   jwt.exceptions.InvalidSignatureError | jinja2.exceptions.UndefinedError | psycopg.errors.ErrorInAssignment |
   psycopg.errors.ZeroLengthCharacterString | psycopg.errors.MostSpecificTypeMismatch |
   psycopg.errors.InvalidParameterValue | psycopg.errors.TooManyJsonArrayElements |
   psycopg.errors.TooManyJsonObjectMembers
s65 requests.exceptions.InvalidJSONError | psycopg.errors.NullValueNotAllowed | psycopg.errors.MoreThanOneSqlJsonItem |
   psycopg.errors.NoSqlJsonItem | psycopg.errors.SingletonSqlJsonItemRequired
s70 UnicodeEncodeError | elasticsearch.BadRequestError | google.api_core.exceptions.BadRequest |
   azure.servicebus.exceptions.MessageSizeExceededError | openai.BadRequestError | cryptography.fernet.InvalidToken |
   psycopg.errors.EscapeCharacterConflict | psycopg.errors.InvalidUseOfEscapeCharacter |
   psycopg.errors.NonNumericSqlJsonItem | psycopg.errors.SqlJsonArrayNotFound | psycopg.errors.SqlJsonMemberNotFound |
   psycopg.errors.SqlJsonNumberNotFound | psycopg.errors.SqlJsonObjectNotFound | psycopg.errors.SqlJsonScalarRequired |
   psycopg.errors.SqlJsonItemCannotBeCastToTargetType
s72 decimal.InvalidOperation | django.core.exceptions.ValidationError | pymongo.errors.InvalidDocument |
   cryptography.exceptions.InvalidSignature
s75 email.errors.MessageError | asyncpg.exceptions.NotNullViolationError | pymongo.errors.DocumentTooLarge |
   cryptography.exceptions.InvalidTag | psycopg.errors.IntervalFieldOverflow | psycopg.errors.StringDataLengthMismatch |
   psycopg.errors.NotNullViolation
s80 psycopg.errors.NumericValueOutOfRange | psycopg.errors.InvalidTimeZoneDisplacementValue |
   psycopg.errors.InvalidXmlComment | psycopg.errors.InvalidXmlProcessingInstruction |
   psycopg.errors.DuplicateJsonObjectKeyValue | psycopg.errors.NonUniqueKeysInAJsonObject |
   psycopg.errors.BadCopyFileFormat | psycopg.errors.UntranslatableCharacter
s82 struct.error | csv.Error | rest_framework.exceptions.ValidationError | jwt.exceptions.DecodeError
s85 UnicodeError | zlib.error | asyncpg.exceptions.DataError | celery.exceptions.InvalidTaskError |
   google.api_core.exceptions.InvalidArgument | pandas.errors.EmptyDataError |
   psycopg.errors.StringDataRightTruncation | psycopg.errors.DatetimeFieldOverflow | psycopg.errors.NotAnXmlDocument |
   psycopg.errors.InvalidXmlDocument | psycopg.errors.InvalidXmlContent | psycopg.errors.InvalidCharacterValueForCast |
   psycopg.errors.CharacterNotInRepertoire | psycopg.errors.InvalidBinaryRepresentation
s88 binascii.Error | yaml.YAMLError | phonenumbers.phonenumberutil.NumberParseException | sqlalchemy.exc.DataError |
   django.db.utils.DataError | psycopg2.DataError | pymysql.err.DataError | pyodbc.DataError |
   kombu.exceptions.SerializationError
s90 pickle.UnpicklingError | msgpack.exceptions.ExtraData | msgpack.exceptions.UnpackValueError |
   fastavro.schema.SchemaParseException | fastavro._schema_common.SchemaParseException | pandas.errors.ParserError |
   PIL.UnidentifiedImageError | psycopg.errors.InvalidDatetimeFormat | psycopg.errors.InvalidJsonText
s92 gzip.BadGzipFile | dateutil.parser._parser.ParserError | dateutil.parser.ParserError | bson.errors.InvalidId |
   rq.exceptions.DeserializationError
s93 UnicodeDecodeError | voluptuous.error.MultipleInvalid | bson.errors.InvalidBSON
s95 xml.etree.ElementTree.ParseError | xml.parsers.expat.ExpatError | pydantic.ValidationError |
   pydantic_core._pydantic_core.ValidationError | pydantic.error_wrappers.ValidationError |
   marshmallow.exceptions.ValidationError | marshmallow.ValidationError | jsonschema.exceptions.ValidationError |
   cattrs.errors.ClassValidationError | asyncpg.exceptions.InvalidTextRepresentationError |
   kombu.exceptions.DecodeError | psycopg.errors.InvalidTextRepresentation
s96 msgspec.ValidationError | msgspec.DecodeError | fastavro.read.SchemaResolutionError |
   avro.errors.AvroTypeException | avro.errors.SchemaResolutionException | google.protobuf.message.DecodeError |
   google.protobuf.json_format.ParseError
s97 json.decoder.JSONDecodeError | json.JSONDecodeError | orjson.JSONDecodeError |
   confluent_kafka.error.ValueDeserializationError | confluent_kafka.error.KeyDeserializationError
t50 MemoryError | SystemExit | multiprocessing.ProcessError | requests.exceptions.JSONDecodeError |
   urllib3.exceptions.DecodeError | aiohttp.ContentTypeError | psycopg.errors.InvalidSqlStatementName |
   psycopg.errors.DuplicatePreparedStatement | psycopg.errors.ObjectNotInPrerequisiteState
t55 httpx.DecodingError
t60 socket.herror | sqlite3.OperationalError | urllib3.exceptions.ClosedPoolError | psycopg_pool.PoolClosed |
   celery.exceptions.IncompleteStream | kombu.exceptions.HttpError | botocore.exceptions.CredentialRetrievalError |
   psycopg.errors.SqlserverRejectedEstablishmentOfSqlconnection | psycopg.errors.ConfigurationLimitExceeded |
   psycopg.errors.UnsafeNewEnumValueUsage | psycopg.errors.SystemError | psycopg.errors.FdwOutOfMemory
t60? concurrent.futures.CancelledError | requests.exceptions.ContentDecodingError | sqlalchemy.exc.InterfaceError |
   celery.exceptions.SoftTimeLimitExceeded | celery.exceptions.TimeLimitExceeded |
   billiard.exceptions.SoftTimeLimitExceeded | billiard.exceptions.TimeLimitExceeded | rq.timeouts.JobTimeoutException |
   dramatiq.middleware.time_limit.TimeLimitExceeded
t65 socket.gaierror | requests.exceptions.ProxyError | urllib3.exceptions.NameResolutionError |
   urllib3.exceptions.ProxyError | botocore.exceptions.ProxyConnectionError | botocore.exceptions.ChecksumError |
   botocore.exceptions.FlexibleChecksumError | botocore.exceptions.WaiterError | botocore.exceptions.EventStreamError |
   azure.servicebus.exceptions.ServiceBusQuotaExceededError
t65? asyncio.CancelledError | celery.exceptions.WorkerLostError | celery.exceptions.Terminated |
   billiard.exceptions.WorkerLostError
t70 aiohttp.ClientConnectorDNSError | psycopg.errors.ReadOnlySqlTransaction |
   psycopg.errors.IdleInTransactionSessionTimeout | psycopg.errors.TransactionTimeout |
   psycopg.errors.OperatorIntervention | psycopg.errors.IoError
t70? concurrent.futures.process.BrokenProcessPool | paramiko.ssh_exception.SSHException
t72 pymongo.errors.CursorNotFound
t72? peewee.OperationalError | pymysql.err.OperationalError | MySQLdb.OperationalError |
   mysql.connector.errors.OperationalError | google.api_core.exceptions.InternalServerError
t75 celery.exceptions.BackendError | botocore.exceptions.MetadataRetrievalError |
   azure.core.exceptions.ResourceModifiedError | psycopg.errors.DiskFull | psycopg.errors.OutOfMemory |
   psycopg.errors.FdwUnableToEstablishConnection
t75? http.client.BadStatusLine | urllib.error.URLError | subprocess.TimeoutExpired |
   urllib3.exceptions.InvalidChunkLength | sqlalchemy.exc.OperationalError | django.db.utils.OperationalError |
   psycopg.InterfaceError | pymysql.err.InterfaceError | mysql.connector.errors.InterfaceError |
   oracledb.exceptions.OperationalError | azure.servicebus.exceptions.MessageLockLostError
t78? psycopg2.OperationalError | psycopg.OperationalError
t80 KeyboardInterrupt | InterruptedError | asyncio.QueueFull | queue.Full | psycopg2.extensions.QueryCanceledError |
   celery.exceptions.BackendGetMetaError | psycopg.errors.InsufficientResources | psycopg.errors.ObjectInUse |
   psycopg.errors.QueryCanceled
t80? urllib3.exceptions.ResponseError | psycopg.errors.CancellationTimeout | pyodbc.OperationalError |
   celery.exceptions.BackendStoreError | pika.exceptions.NackError
t82? django.db.utils.InterfaceError | psycopg2.InterfaceError
t85 BlockingIOError | psycopg2.pool.PoolError | celery.exceptions.WorkerShutdown | celery.exceptions.WorkerTerminate |
   google.api_core.exceptions.ResourceExhausted
t85? asyncio.IncompleteReadError | ssl.SSLEOFError | http.client.IncompleteRead | requests.exceptions.RetryError |
   aiohttp.ClientPayloadError | pymongo.errors.WriteConcernError | pymongo.errors.ExecutionTimeout |
   celery.exceptions.TimeoutError | kafka.errors.CommitFailedError | aiokafka.errors.CommitFailedError |
   botocore.exceptions.IncompleteReadError | grpc.FutureTimeoutError | temporalio.exceptions.TimeoutError |
   psycopg.errors.ConnectionDoesNotExist | psycopg.errors.StatementCompletionUnknown
t88 urllib3.exceptions.EmptyPoolError | sqlalchemy.orm.exc.StaleDataError | kombu.exceptions.LimitExceeded |
   kombu.exceptions.ChannelLimitExceeded | rq.exceptions.ShutDownImminentException |
   google.auth.exceptions.TransportError
t88? requests.exceptions.ChunkedEncodingError | urllib3.exceptions.MaxRetryError | urllib3.exceptions.IncompleteRead |
   pymongo.errors.WTimeoutError | pika.exceptions.ConnectionClosedByBroker | botocore.exceptions.HTTPClientError |
   botocore.exceptions.ResponseStreamingError | google.api_core.exceptions.DeadlineExceeded |
   google.api_core.exceptions.RetryError | openai.InternalServerError
t90 urllib3.exceptions.RetryAfterError | kombu.exceptions.ConnectionLimitExceeded |
   huey.exceptions.TaskLockedException | botocore.exceptions.CapacityNotAvailableError |
   psycopg.errors.SqlclientUnableToEstablishSqlconnection | psycopg.errors.TransactionRollback |
   psycopg.errors.IdleSessionTimeout
t90? ConnectionError | TimeoutError | asyncio.TimeoutError | asyncio.exceptions.TimeoutError |
   concurrent.futures.TimeoutError | kafka.errors.KafkaTimeoutError |
   azure.servicebus.exceptions.OperationTimeoutError | psycopg.errors.ConnectionException |
   psycopg.errors.TransactionResolutionUnknown | psycopg.errors.CrashShutdown
t92 google.api_core.exceptions.Aborted | azure.core.exceptions.ServiceRequestError
t92? ConnectionAbortedError | socket.timeout | smtplib.SMTPServerDisconnected | requests.exceptions.ConnectionError |
   requests.exceptions.Timeout | urllib3.exceptions.ProtocolError | httpx.WriteTimeout | httpx.RemoteProtocolError |
   kombu.exceptions.OperationalError | botocore.exceptions.ConnectionError | google.api_core.exceptions.GatewayTimeout |
   google.api_core.exceptions.BadGateway | azure.core.exceptions.ServiceResponseError | openai.APITimeoutError
t93 smtplib.SMTPConnectError | mysql.connector.errors.PoolError | botocore.exceptions.EndpointConnectionError
t93? BrokenPipeError | requests.exceptions.ReadTimeout | urllib3.exceptions.ReadTimeoutError | httpx.ReadTimeout |
   httpx.ReadError | httpx.WriteError | aiohttp.ServerTimeoutError | aiohttp.ClientOSError |
   sqlalchemy.exc.DisconnectionError | sqlalchemy.exc.InvalidatePoolError |
   asyncpg.exceptions.ConnectionDoesNotExistError | pymongo.errors.NetworkTimeout | pymongo.errors.ConnectionFailure |
   elasticsearch.ConnectionError | elasticsearch.ConnectionTimeout | amqp.exceptions.RecoverableConnectionError |
   pika.exceptions.AMQPConnectionError | aiokafka.errors.KafkaConnectionError | botocore.exceptions.ReadTimeoutError |
   botocore.exceptions.ConnectionClosedError | azure.servicebus.exceptions.ServiceBusConnectionError |
   stripe.APIConnectionError | openai.APIConnectionError
t95 httpx.ConnectError | httpx.PoolTimeout | aiohttp.ClientConnectorError | sqlalchemy.exc.TimeoutError |
   psycopg_pool.TooManyRequests | pymongo.errors.ServerSelectionTimeoutError | pymongo.errors.NotPrimaryError |
   celery.exceptions.Retry | kafka.errors.NoBrokersAvailable | dramatiq.errors.RateLimitExceeded |
   huey.exceptions.RetryTask | botocore.exceptions.ConnectTimeoutError | openai.RateLimitError |
   pybreaker.CircuitBreakerError | psycopg.errors.TooManyConnections | psycopg.errors.LockNotAvailable |
   psycopg.errors.AdminShutdown
t95? ConnectionResetError | http.client.RemoteDisconnected | aiohttp.ServerDisconnectedError |
   pymongo.errors.AutoReconnect | amqp.exceptions.ConnectionForced | pika.exceptions.StreamLostError |
   pika.exceptions.AMQPHeartbeatTimeout | psycopg.errors.ConnectionFailure
t96 ConnectionRefusedError | requests.exceptions.ConnectTimeout | urllib3.exceptions.NewConnectionError |
   urllib3.exceptions.ConnectTimeoutError | httpx.ConnectTimeout | rest_framework.exceptions.Throttled |
   psycopg2.extensions.TransactionRollbackError | psycopg.errors.ConnectionTimeout | psycopg_pool.PoolTimeout |
   asyncpg.exceptions.TooManyConnectionsError
t96? google.api_core.exceptions.ServiceUnavailable
t97 asyncpg.exceptions.DeadlockDetectedError | asyncpg.exceptions.SerializationError |
   asyncpg.exceptions.CannotConnectNowError | google.api_core.exceptions.TooManyRequests | stripe.RateLimitError |
   psycopg.errors.SerializationFailure | psycopg.errors.DeadlockDetected | psycopg.errors.CannotConnectNow
u50 sqlite3.DatabaseError | psycopg.errors.DuplicateColumn | psycopg.errors.DuplicateFile
u55 ssl.SSLError
u60 amqp.exceptions.IrrecoverableConnectionError | psycopg.errors.DependentPrivilegeDescriptorsStillExist |
   psycopg.errors.DependentObjectsStillExist | psycopg.errors.UndefinedFile | psycopg.errors.FileNameTooLong
u65 smtplib.SMTPSenderRefused | requests.exceptions.TooManyRedirects | requests.exceptions.InvalidURL |
   urllib3.exceptions.LocationParseError | httpx.TooManyRedirects | httpx.InvalidURL | aiohttp.InvalidURL |
   kombu.exceptions.InconsistencyError
u70 jsonschema.exceptions.RefResolutionError | botocore.exceptions.SSLError
u72 requests.exceptions.MissingSchema | requests.exceptions.InvalidSchema | httpx.UnsupportedProtocol
u75 sqlalchemy.exc.UnboundExecutionError | kombu.exceptions.VersionMismatch | amqp.exceptions.NotFound |
   pika.exceptions.UnroutableError | google.auth.exceptions.RefreshError |
   psycopg.errors.SequenceGeneratorLimitExceeded | psycopg.errors.InvalidSchemaName
u78 requests.exceptions.SSLError | urllib3.exceptions.SSLError | jinja2.exceptions.TemplateNotFound
u80 cerberus.SchemaError | celery.exceptions.SecurityError | botocore.exceptions.TokenRetrievalError |
   psycopg.errors.InvalidGrantor | psycopg.errors.InvalidGrantOperation | psycopg.errors.InvalidRoleSpecification |
   psycopg.errors.LockFileExists | psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted
u82 jsonschema.exceptions.SchemaError | kombu.exceptions.ContentDisallowed
u85 ImportError | configparser.Error | django.core.exceptions.AppRegistryNotReady | celery.exceptions.NotRegistered |
   botocore.exceptions.UnknownServiceError | google.api_core.exceptions.Forbidden | psycopg.errors.InvalidCatalogName |
   psycopg.errors.CantChangeRuntimeParam | psycopg.errors.DatabaseDropped | psycopg.errors.ConfigFileError
u88 ModuleNotFoundError | requests.exceptions.InvalidProxyURL | django.core.exceptions.PermissionDenied |
   celery.exceptions.QueueNotFound | kombu.exceptions.SerializerNotInstalled
u90 PermissionError | pymongo.errors.ConfigurationError | amqp.exceptions.AccessRefused |
   pika.exceptions.ProbableAccessDeniedError
u92 ssl.SSLCertVerificationError | aiohttp.ClientConnectorCertificateError | pymongo.errors.InvalidURI
u93 pika.exceptions.ProbableAuthenticationError | botocore.exceptions.InvalidConfigError |
   botocore.exceptions.UnauthorizedSSOTokenError
u95 smtplib.SMTPAuthenticationError | django.core.exceptions.ImproperlyConfigured |
   celery.exceptions.ImproperlyConfigured | botocore.exceptions.NoCredentialsError |
   botocore.exceptions.PartialCredentialsError | botocore.exceptions.ProfileNotFound |
   google.api_core.exceptions.PermissionDenied | google.api_core.exceptions.Unauthenticated |
   azure.core.exceptions.ClientAuthenticationError | paramiko.ssh_exception.AuthenticationException |
   psycopg.errors.InvalidAuthorizationSpecification | psycopg.errors.InsufficientPrivilege
u96 google.auth.exceptions.DefaultCredentialsError | stripe.AuthenticationError | openai.AuthenticationError
u97 asyncpg.exceptions.InvalidPasswordError | botocore.exceptions.NoRegionError | psycopg.errors.InvalidPassword
`;
