/** Java exception classes. The notation is explained in read-table.ts. */
export const java = `
# java class
- java.lang.IllegalArgumentException | java.lang.IllegalStateException | java.lang.RuntimeException |
   java.lang.Exception | java.lang.Error | java.util.concurrent.ExecutionException |
   java.util.concurrent.CompletionException | java.lang.reflect.InvocationTargetException |
   java.lang.reflect.UndeclaredThrowableException | java.sql.SQLException | java.sql.SQLNonTransientException |
   java.sql.BatchUpdateException | org.postgresql.util.PSQLException | com.microsoft.sqlserver.jdbc.SQLServerException |
   oracle.jdbc.OracleDatabaseException | org.h2.jdbc.JdbcSQLException | jakarta.persistence.RollbackException |
   jakarta.persistence.PersistenceException | org.hibernate.exception.GenericJDBCException |
   io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException |
   org.apache.kafka.common.errors.ApiException | org.apache.kafka.common.KafkaException |
   org.apache.kafka.streams.errors.StreamsException | org.apache.kafka.connect.errors.ConnectException |
   org.springframework.kafka.listener.ListenerExecutionFailedException |
   org.springframework.kafka.listener.TimestampedException | org.springframework.kafka.KafkaException |
   org.springframework.kafka.listener.BatchListenerFailedException |
   org.springframework.messaging.MessageHandlingException | org.springframework.messaging.MessagingException |
   org.springframework.amqp.AmqpRejectAndDontRequeueException |
   org.springframework.amqp.rabbit.support.ListenerExecutionFailedException |
   org.springframework.web.client.HttpClientErrorException |
   org.springframework.web.client.UnknownHttpStatusCodeException |
   org.springframework.web.reactive.function.client.WebClientResponseException |
   org.springframework.transaction.UnexpectedRollbackException |
   org.springframework.transaction.TransactionSystemException | org.springframework.jdbc.UncategorizedSQLException |
   org.springframework.data.redis.RedisSystemException | org.springframework.retry.ExhaustedRetryException |
   jakarta.jms.JMSException | javax.jms.JMSException | com.ibm.mq.MQException |
   org.apache.camel.CamelExchangeException | org.apache.camel.http.base.HttpOperationFailedException |
   reactor.core.Exceptions$RetryExhaustedException | retrofit2.HttpException | io.grpc.StatusRuntimeException |
   io.grpc.StatusException | com.netflix.hystrix.exception.HystrixRuntimeException |
   com.amazonaws.AmazonServiceException | com.mongodb.MongoWriteException | com.mongodb.MongoCommandException |
   com.mongodb.MongoBulkWriteException | com.microsoft.azure.servicebus.primitives.ServiceBusException |
   com.azure.messaging.servicebus.ServiceBusException | jakarta.ejb.EJBException |
   org.springframework.dao.CleanupFailureDataAccessException | org.springframework.dao.DataAccessException |
   org.springframework.dao.NonTransientDataAccessException | org.springframework.dao.UncategorizedDataAccessException |
   org.apache.kafka.common.errors.UnknownServerException | org.apache.kafka.common.errors.FeatureUpdateFailedException
b40 org.apache.kafka.common.errors.NoReassignmentInProgressException
b50 java.nio.file.FileAlreadyExistsException | org.apache.kafka.common.errors.TopicExistsException |
   org.apache.kafka.common.errors.GroupNotEmptyException |
   org.apache.kafka.common.errors.InvalidUpdateVersionException
b50? org.apache.kafka.common.errors.DuplicateSequenceException
b55 org.springframework.dao.DataIntegrityViolationException
b60 org.springframework.web.client.HttpClientErrorException$Conflict | feign.FeignException$Conflict |
   org.apache.kafka.common.errors.GroupSubscribedToTopicException
b65 java.sql.SQLIntegrityConstraintViolationException | org.hibernate.exception.ConstraintViolationException
b70 org.apache.kafka.common.errors.PolicyViolationException
b75 jakarta.persistence.EntityExistsException | javax.persistence.EntityExistsException |
   com.mongodb.DuplicateKeyException | com.google.api.gax.rpc.AlreadyExistsException
b76 org.springframework.dao.DuplicateKeyException
b80 software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException
b90 com.stripe.exception.CardException
l50 java.util.NoSuchElementException | org.apache.kafka.common.errors.GroupIdNotFoundException |
   org.apache.kafka.common.errors.ResourceNotFoundException | org.apache.kafka.common.errors.SnapshotNotFoundException |
   org.apache.kafka.common.errors.PositionOutOfRangeException
l60 java.io.FileNotFoundException | org.apache.kafka.common.errors.TransactionalIdNotFoundException
l65 java.nio.file.NoSuchFileException
l72 org.springframework.web.client.HttpClientErrorException$NotFound | feign.FeignException$NotFound |
   jakarta.ws.rs.NotFoundException
l75 org.springframework.dao.DataRetrievalFailureException
l78 com.google.api.gax.rpc.NotFoundException
l80 org.apache.kafka.clients.consumer.LogTruncationException |
   org.apache.kafka.common.errors.OffsetOutOfRangeException
l82 jakarta.persistence.NoResultException | javax.persistence.NoResultException
l85 org.springframework.dao.EmptyResultDataAccessException
l88 org.springframework.orm.ObjectRetrievalFailureException
l90 jakarta.persistence.EntityNotFoundException | javax.persistence.EntityNotFoundException |
   org.hibernate.ObjectNotFoundException
l92 org.springframework.web.client.HttpClientErrorException$Gone |
   org.axonframework.modelling.command.AggregateNotFoundException
l95 software.amazon.awssdk.services.s3.model.NoSuchKeyException
p40? org.apache.kafka.common.errors.OutOfOrderSequenceException
p50 org.apache.kafka.common.errors.OffsetMetadataTooLarge |
   org.apache.kafka.common.errors.InvalidCommitOffsetSizeException
p55 java.net.ProtocolException
p60 jakarta.persistence.NonUniqueResultException | javax.persistence.NonUniqueResultException |
   org.hibernate.NonUniqueResultException | org.springframework.dao.IncorrectResultSizeDataAccessException |
   org.apache.kafka.common.errors.InvalidRequestException | org.apache.kafka.common.errors.InvalidTxnStateException |
   org.apache.kafka.common.errors.DuplicateResourceException
p65 org.springframework.dao.IncorrectUpdateSemanticsDataAccessException
p70 java.lang.NoSuchMethodException | java.nio.BufferOverflowException | jakarta.jms.TransactionInProgressException
p75 java.lang.UnsupportedOperationException | java.util.ConcurrentModificationException |
   org.hibernate.PropertyAccessException | org.hibernate.NonUniqueObjectException |
   com.fasterxml.jackson.core.JsonGenerationException | org.springframework.core.convert.ConverterNotFoundException |
   jakarta.jms.MessageNotReadableException | feign.codec.EncodeException
p78 java.lang.ClassCastException | java.lang.StringIndexOutOfBoundsException | java.util.IllegalFormatException |
   org.hibernate.PersistentObjectException | org.apache.camel.component.bean.MethodNotFoundException |
   org.springframework.dao.InvalidDataAccessResourceUsageException
p80 java.lang.NullPointerException | java.lang.IndexOutOfBoundsException | java.lang.ArithmeticException |
   java.lang.NegativeArraySizeException | java.lang.CloneNotSupportedException |
   java.util.DuplicateFormatFlagsException | org.hibernate.TransientPropertyValueException |
   kotlin.NoWhenBranchMatchedException | org.bson.codecs.configuration.CodecConfigurationException |
   org.springframework.dao.InvalidDataAccessApiUsageException
p82 java.lang.AssertionError | java.sql.SQLFeatureNotSupportedException |
   jakarta.persistence.TransactionRequiredException | org.hibernate.TransientObjectException | scala.MatchError
p85 java.lang.ArrayIndexOutOfBoundsException | java.lang.ArrayStoreException | java.util.EmptyStackException |
   java.io.NotSerializableException | org.hibernate.exception.SQLGrammarException |
   com.fasterxml.jackson.databind.exc.InvalidDefinitionException
p88 java.lang.StackOverflowError | java.sql.SQLSyntaxErrorException | org.springframework.jdbc.BadSqlGrammarException
p90 kotlin.UninitializedPropertyAccessException | io.quarkus.runtime.BlockingOperationNotAllowedException
p92 org.hibernate.LazyInitializationException
p93 kotlin.NotImplementedError
s50 org.apache.kafka.common.errors.RecordBatchTooLargeException
s55 io.netty.handler.codec.DecoderException | org.apache.kafka.common.errors.RecordTooLargeException
s60 java.net.URISyntaxException | org.springframework.web.client.HttpClientErrorException$UnprocessableEntity |
   org.apache.kafka.common.errors.InvalidTimestampException
s65 java.security.SignatureException | org.springframework.data.mapping.MappingException
s70 java.time.DateTimeException | javax.crypto.BadPaddingException | javax.crypto.IllegalBlockSizeException |
   jakarta.validation.ValidationException | javax.validation.ValidationException |
   com.fasterxml.jackson.databind.exc.ValueInstantiationException |
   org.springframework.web.client.HttpClientErrorException$BadRequest |
   org.springframework.batch.item.validator.ValidationException | feign.FeignException$BadRequest |
   jakarta.ws.rs.BadRequestException
s72 java.nio.BufferUnderflowException | org.hibernate.PropertyValueException |
   io.netty.handler.codec.TooLongFrameException
s75 java.lang.EnumConstantNotPresentException | java.util.InputMismatchException | java.util.zip.ZipException |
   javax.xml.bind.JAXBException | com.fasterxml.jackson.core.exc.StreamConstraintsException |
   org.apache.kafka.connect.errors.SchemaBuilderException | org.apache.kafka.common.InvalidRecordException
s78 javax.crypto.AEADBadTagException
s80 java.lang.NumberFormatException | java.io.OptionalDataException | jakarta.validation.ConstraintViolationException |
   javax.validation.ConstraintViolationException | org.apache.avro.AvroRuntimeException |
   org.springframework.dao.TypeMismatchDataAccessException
s82 org.springframework.messaging.handler.invocation.MethodArgumentResolutionException |
   org.apache.camel.NoTypeConversionAvailableException |
   org.axonframework.messaging.interceptors.JSR303ViolationException
s85 java.util.zip.DataFormatException | java.io.StreamCorruptedException | java.io.CharConversionException |
   java.nio.charset.UnmappableCharacterException | org.xml.sax.SAXException | java.sql.SQLDataException |
   org.hibernate.exception.DataException | com.fasterxml.jackson.core.JsonProcessingException |
   com.fasterxml.jackson.databind.JsonMappingException | com.fasterxml.jackson.databind.exc.IgnoredPropertyException |
   tools.jackson.core.JacksonException | org.json.JSONException | com.jayway.jsonpath.PathNotFoundException |
   org.springframework.core.convert.ConversionFailedException | org.apache.camel.ValidationException |
   feign.codec.DecodeException | com.google.api.gax.rpc.InvalidArgumentException
s88 java.io.InvalidClassException | java.io.UTFDataFormatException | java.nio.charset.CharacterCodingException |
   java.text.ParseException | java.sql.DataTruncation | com.mysql.cj.jdbc.exceptions.MysqlDataTruncation |
   kotlinx.serialization.SerializationException | org.apache.avro.SchemaParseException |
   org.apache.camel.TypeConversionException
s90 java.nio.charset.MalformedInputException | javax.xml.stream.XMLStreamException |
   io.confluent.kafka.schemaregistry.json.jackson.JsonSchemaValidationException |
   org.apache.kafka.connect.errors.DataException |
   org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException |
   org.springframework.web.bind.MethodArgumentNotValidException | jakarta.jms.MessageEOFException |
   org.axonframework.serialization.SerializationException | org.bson.BsonSerializationException
s92 com.fasterxml.jackson.core.exc.InputCoercionException | com.fasterxml.jackson.databind.exc.InvalidTypeIdException |
   com.google.gson.JsonParseException | org.apache.avro.SchemaValidationException |
   com.google.protobuf.UninitializedMessageException |
   org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException |
   jakarta.jms.MessageFormatException | javax.jms.MessageFormatException
s93 java.time.format.DateTimeParseException | javax.xml.bind.UnmarshalException | jakarta.xml.bind.UnmarshalException |
   com.fasterxml.jackson.databind.exc.InvalidNullException | org.apache.avro.InvalidAvroMagicException |
   org.apache.avro.UnresolvedUnionException | org.apache.camel.support.processor.validation.SchemaValidationException
s95 org.xml.sax.SAXParseException | com.fasterxml.jackson.core.io.JsonEOFException |
   com.fasterxml.jackson.core.exc.StreamReadException | com.squareup.moshi.JsonDataException |
   com.squareup.moshi.JsonEncodingException | org.everit.json.schema.ValidationException |
   org.apache.kafka.common.errors.SerializationException |
   org.springframework.messaging.converter.MessageConversionException |
   org.springframework.kafka.support.converter.ConversionException |
   org.springframework.amqp.support.converter.MessageConversionException |
   org.springframework.http.converter.HttpMessageNotReadableException |
   org.apache.pulsar.client.api.PulsarClientException$IncompatibleSchemaException |
   org.apache.pulsar.client.api.SchemaSerializationException | play.api.libs.json.JsResultException
s96 com.fasterxml.jackson.databind.exc.MismatchedInputException |
   com.fasterxml.jackson.databind.exc.InvalidFormatException |
   com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException | com.google.gson.JsonSyntaxException |
   com.google.gson.stream.MalformedJsonException | kotlinx.serialization.MissingFieldException |
   org.apache.avro.AvroTypeException | org.apache.avro.AvroMissingFieldException |
   com.google.protobuf.InvalidProtocolBufferException | io.circe.DecodingFailure | io.circe.ParsingFailure
s97 com.fasterxml.jackson.core.JsonParseException | org.apache.kafka.common.errors.RecordDeserializationException |
   org.springframework.kafka.support.serializer.DeserializationException
t40 org.apache.kafka.common.errors.ElectionNotNeededException
t45 org.apache.kafka.common.errors.CorruptRecordException | org.apache.kafka.common.errors.InvalidPidMappingException |
   org.apache.kafka.common.errors.UnknownProducerIdException
t50 java.lang.OutOfMemoryError | com.google.gson.JsonIOException |
   org.apache.kafka.common.errors.InvalidProducerEpochException |
   org.apache.kafka.common.errors.ProducerFencedException |
   org.apache.kafka.common.errors.UnknownSubscriptionIdException
t50? javax.net.ssl.SSLException | org.apache.kafka.common.errors.InvalidRecordStateException
t55 org.springframework.dao.NonTransientDataAccessResourceException |
   org.apache.kafka.common.errors.UnknownTopicOrPartitionException |
   org.apache.kafka.common.errors.TransactionCoordinatorFencedException |
   org.apache.kafka.common.errors.UnknownTopicIdException | org.apache.kafka.common.errors.IneligibleReplicaException |
   org.apache.kafka.common.errors.FencedStateEpochException
t55? java.io.EOFException
t60 java.net.UnknownHostException | org.springframework.messaging.MessageDeliveryException |
   org.apache.kafka.common.errors.OperationNotAttemptedException |
   org.apache.kafka.common.errors.ListenerNotFoundException | org.apache.kafka.common.errors.StaleBrokerEpochException |
   org.apache.kafka.common.errors.InconsistentTopicIdException |
   org.apache.kafka.common.errors.OffsetMovedToTieredStorageException |
   org.apache.kafka.common.errors.FencedMemberEpochException |
   org.apache.kafka.common.errors.UnreleasedInstanceIdException
t60? java.util.concurrent.CancellationException | java.io.IOException | java.io.UncheckedIOException |
   kotlinx.coroutines.JobCancellationException | org.apache.kafka.common.errors.NewLeaderElectedException
t65 org.apache.kafka.common.errors.IllegalGenerationException |
   org.apache.kafka.common.errors.UnknownMemberIdException
t65? feign.FeignException$InternalServerError
t70 org.apache.kafka.common.errors.ControllerMovedException |
   org.apache.kafka.common.errors.ReassignmentInProgressException
t70? com.rabbitmq.client.ShutdownSignalException | software.amazon.awssdk.core.exception.SdkClientException |
   com.amazonaws.SdkClientException
t75 com.zaxxer.hikari.pool.HikariPool$PoolInitializationException |
   org.apache.kafka.common.errors.TransactionAbortedException | org.apache.kafka.streams.errors.TaskCorruptedException |
   org.apache.kafka.streams.errors.InvalidStateStoreException |
   org.apache.kafka.common.errors.TransactionAbortableException
t80 org.apache.kafka.common.errors.WakeupException | org.apache.kafka.common.errors.InterruptException |
   com.google.api.gax.rpc.ResourceExhaustedException | org.apache.kafka.common.errors.MemberIdRequiredException |
   org.apache.kafka.common.errors.StaleMemberEpochException
t80? javax.ws.rs.ProcessingException | jakarta.ws.rs.ProcessingException
t85 java.lang.InterruptedException | java.util.concurrent.RejectedExecutionException |
   java.net.PortUnreachableException | org.apache.kafka.streams.errors.LockException |
   org.springframework.amqp.ImmediateRequeueAmqpException | jakarta.jms.ResourceAllocationException |
   org.apache.kafka.common.errors.BrokerNotAvailableException | org.apache.kafka.common.errors.KafkaStorageException |
   org.apache.kafka.common.errors.PreferredLeaderNotAvailableException |
   org.apache.kafka.common.errors.EligibleLeadersNotAvailableException |
   org.apache.kafka.common.errors.FetchSessionTopicIdException
t85? java.io.InterruptedIOException | java.nio.channels.ClosedChannelException |
   org.apache.kafka.clients.consumer.CommitFailedException | org.springframework.web.client.HttpServerErrorException |
   org.springframework.transaction.HeuristicCompletionException | com.rabbitmq.client.AlreadyClosedException |
   okhttp3.internal.http2.StreamResetException | com.mongodb.MongoExecutionTimeoutException |
   com.mongodb.MongoWriteConcernException | org.springframework.dao.DataAccessResourceFailureException
t88 javax.naming.CommunicationException | jakarta.persistence.QueryTimeoutException |
   org.hibernate.QueryTimeoutException | org.apache.kafka.streams.errors.TaskMigratedException |
   org.springframework.transaction.TransactionTimedOutException
t88? java.util.concurrent.TimeoutException | java.sql.SQLTimeoutException |
   com.mysql.cj.jdbc.exceptions.MySQLTimeoutException | kotlinx.coroutines.TimeoutCancellationException |
   org.springframework.amqp.AmqpIOException | okhttp3.internal.http2.ConnectionShutdownException |
   com.google.api.gax.rpc.DeadlineExceededException | akka.pattern.AskTimeoutException
t90 java.net.NoRouteToHostException | org.hibernate.StaleStateException |
   org.apache.kafka.common.errors.AuthorizerNotReadyException |
   org.apache.kafka.clients.producer.BufferExhaustedException | jakarta.jms.TransactionRolledBackException |
   org.springframework.dao.QueryTimeoutException | org.apache.kafka.common.errors.ReplicaNotAvailableException |
   org.apache.kafka.common.errors.RebalanceInProgressException | org.apache.kafka.common.errors.NotControllerException |
   org.apache.kafka.common.errors.FetchSessionIdNotFoundException |
   org.apache.kafka.common.errors.InvalidFetchSessionEpochException |
   org.apache.kafka.common.errors.FencedLeaderEpochException |
   org.apache.kafka.common.errors.UnknownLeaderEpochException |
   org.apache.kafka.common.errors.ShareSessionNotFoundException |
   org.apache.kafka.common.errors.InvalidShareSessionEpochException
t90? java.net.http.HttpTimeoutException | org.springframework.amqp.AmqpTimeoutException |
   io.netty.handler.timeout.WriteTimeoutException | software.amazon.awssdk.core.exception.ApiCallTimeoutException |
   software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException |
   org.apache.kafka.common.errors.TimeoutException |
   org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException
t92 org.apache.kafka.common.errors.InvalidMetadataException | org.axonframework.modelling.command.ConcurrencyException |
   com.google.api.gax.rpc.AbortedException | org.springframework.dao.RecoverableDataAccessException
t92? java.net.SocketException | org.springframework.web.client.ResourceAccessException |
   org.springframework.web.reactive.function.client.WebClientRequestException |
   org.apache.pulsar.client.api.PulsarClientException$TimeoutException | feign.RetryableException |
   com.mongodb.MongoSocketReadTimeoutException
t93 jakarta.persistence.OptimisticLockException | javax.persistence.OptimisticLockException |
   org.hibernate.StaleObjectStateException | org.hibernate.dialect.lock.OptimisticEntityLockException |
   org.apache.kafka.common.errors.RetriableException |
   org.springframework.transaction.CannotCreateTransactionException |
   org.springframework.orm.ObjectOptimisticLockingFailureException |
   org.apache.http.conn.ConnectionPoolTimeoutException | com.mongodb.MongoTimeoutException |
   org.springframework.dao.ConcurrencyFailureException | org.springframework.dao.OptimisticLockingFailureException |
   org.springframework.dao.TransientDataAccessException | org.springframework.dao.TransientDataAccessResourceException
t93? java.net.SocketTimeoutException | java.sql.SQLRecoverableException |
   org.springframework.web.client.HttpServerErrorException$GatewayTimeout | org.apache.http.NoHttpResponseException |
   org.apache.hc.core5.http.NoHttpResponseException | io.netty.handler.timeout.ReadTimeoutException |
   reactor.netty.http.client.PrematureCloseException | com.mongodb.MongoSocketReadException |
   com.mongodb.MongoSocketWriteException | com.stripe.exception.ApiConnectionException
t95 java.net.ConnectException | java.net.http.HttpConnectTimeoutException | java.sql.SQLTransientException |
   jakarta.persistence.PessimisticLockException | jakarta.persistence.LockTimeoutException |
   org.hibernate.exception.LockTimeoutException | org.hibernate.PessimisticLockException |
   org.apache.kafka.clients.consumer.RetriableCommitFailedException |
   org.apache.kafka.connect.errors.RetriableException | org.springframework.amqp.AmqpConnectException |
   org.springframework.jdbc.CannotGetJdbcConnectionException | org.apache.http.conn.ConnectTimeoutException |
   org.apache.http.conn.HttpHostConnectException | org.apache.hc.client5.http.HttpHostConnectException |
   org.apache.hc.client5.http.ConnectTimeoutException | io.netty.channel.ConnectTimeoutException |
   io.github.resilience4j.circuitbreaker.CallNotPermittedException |
   io.github.resilience4j.bulkhead.BulkheadFullException | io.github.resilience4j.ratelimiter.RequestNotPermitted |
   com.mongodb.MongoSocketOpenException | com.mongodb.MongoNotPrimaryException |
   com.mongodb.MongoNodeIsRecoveringException | akka.pattern.CircuitBreakerOpenException |
   org.springframework.dao.CannotAcquireLockException | org.springframework.dao.PessimisticLockingFailureException |
   org.apache.kafka.common.errors.LeaderNotAvailableException |
   org.apache.kafka.common.errors.NotLeaderOrFollowerException |
   org.apache.kafka.common.errors.CoordinatorLoadInProgressException |
   org.apache.kafka.common.errors.CoordinatorNotAvailableException |
   org.apache.kafka.common.errors.NotCoordinatorException | org.apache.kafka.common.errors.NotEnoughReplicasException |
   org.apache.kafka.common.errors.ConcurrentTransactionsException |
   org.apache.kafka.common.errors.OffsetNotAvailableException |
   org.apache.kafka.common.errors.UnstableOffsetCommitException |
   org.apache.kafka.common.errors.ThrottlingQuotaExceededException
t95? java.sql.SQLTransientConnectionException | com.mysql.cj.jdbc.exceptions.CommunicationsException |
   org.hibernate.exception.JDBCConnectionException | org.apache.kafka.common.errors.DisconnectException |
   org.springframework.data.redis.RedisConnectionFailureException | com.rabbitmq.client.MissedHeartbeatException |
   com.google.api.gax.rpc.UnavailableException | org.apache.kafka.common.errors.NetworkException
t96 java.sql.SQLTransactionRollbackException | com.mysql.cj.jdbc.exceptions.MySQLTransactionRollbackException |
   org.hibernate.exception.LockAcquisitionException
t97 org.springframework.web.client.HttpClientErrorException$TooManyRequests |
   org.springframework.web.client.HttpServerErrorException$ServiceUnavailable | feign.FeignException$TooManyRequests |
   feign.FeignException$ServiceUnavailable |
   software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException |
   jakarta.ws.rs.ServiceUnavailableException | com.stripe.exception.RateLimitException |
   org.springframework.dao.CannotSerializeTransactionException |
   org.springframework.dao.DeadlockLoserDataAccessException
u55 java.sql.SQLNonTransientConnectionException
u60 org.apache.kafka.common.errors.UnknownControllerIdException |
   org.apache.kafka.common.errors.TelemetryTooLargeException | org.apache.kafka.common.errors.DuplicateVoterException |
   org.apache.kafka.common.errors.VoterNotFoundException
u65 java.lang.ExceptionInInitializerError | java.net.MalformedURLException
u70 java.lang.TypeNotPresentException | java.lang.ClassNotFoundException | java.io.UnsupportedEncodingException |
   java.net.BindException | org.apache.kafka.common.errors.InvalidFetchSizeException |
   org.apache.kafka.common.errors.InvalidTopicException | org.apache.kafka.common.errors.IllegalSaslStateException |
   org.apache.kafka.common.errors.InvalidPartitionsException |
   org.apache.kafka.common.errors.InvalidReplicaAssignmentException |
   org.apache.kafka.common.errors.UnsupportedForMessageFormatException |
   org.apache.kafka.common.errors.InconsistentVoterSetException |
   org.apache.kafka.common.errors.PrincipalDeserializationException |
   org.apache.kafka.common.errors.BrokerIdNotRegisteredException |
   org.apache.kafka.common.errors.InvalidRegistrationException |
   org.apache.kafka.common.errors.InvalidVoterKeyException
u75 java.lang.LinkageError | java.util.MissingResourceException |
   org.apache.kafka.clients.consumer.NoOffsetForPartitionException |
   org.apache.kafka.common.errors.UnsupportedVersionException |
   org.apache.kafka.common.errors.InvalidReplicationFactorException |
   org.apache.kafka.common.errors.UnsupportedCompressionTypeException |
   org.apache.kafka.common.errors.FencedInstanceIdException | org.apache.kafka.common.errors.InvalidRegularExpression
u78 javax.net.ssl.SSLHandshakeException
u80 java.lang.NoSuchMethodError | java.lang.NoSuchFieldError | java.lang.AbstractMethodError |
   java.lang.IncompatibleClassChangeError | java.security.InvalidKeyException | org.hibernate.MappingException |
   org.axonframework.commandhandling.NoHandlerForCommandException |
   org.apache.kafka.common.errors.InvalidRequiredAcksException |
   org.apache.kafka.common.errors.InconsistentGroupProtocolException |
   org.apache.kafka.common.errors.LogDirNotFoundException |
   org.apache.kafka.common.errors.DelegationTokenNotFoundException |
   org.apache.kafka.common.errors.DelegationTokenExpiredException |
   org.apache.kafka.common.errors.InvalidPrincipalTypeException |
   org.apache.kafka.common.errors.GroupMaxSizeReachedException |
   org.apache.kafka.common.errors.UnacceptableCredentialException |
   org.apache.kafka.common.errors.MismatchedEndpointTypeException |
   org.apache.kafka.common.errors.UnsupportedEndpointTypeException
u85 java.lang.NoClassDefFoundError | java.lang.SecurityException | java.security.NoSuchAlgorithmException |
   javax.naming.NameNotFoundException | org.springframework.beans.factory.BeanCreationException |
   org.springframework.web.client.HttpClientErrorException$Forbidden | jakarta.jms.InvalidDestinationException |
   org.apache.kafka.common.errors.InvalidGroupIdException |
   org.apache.kafka.common.errors.InvalidSessionTimeoutException |
   org.apache.kafka.common.errors.InvalidConfigurationException |
   org.apache.kafka.common.errors.InvalidTxnTimeoutException |
   org.apache.kafka.common.errors.DelegationTokenOwnerMismatchException |
   org.apache.kafka.common.errors.UnsupportedByAuthenticationException |
   org.apache.kafka.common.errors.TopicDeletionDisabledException |
   org.apache.kafka.common.errors.DuplicateBrokerRegistrationException |
   org.apache.kafka.common.errors.InconsistentClusterIdException |
   org.apache.kafka.common.errors.UnsupportedAssignorException
u88 org.springframework.beans.factory.NoSuchBeanDefinitionException |
   org.springframework.beans.factory.UnsatisfiedDependencyException
u90 java.lang.UnsupportedClassVersionError | javax.net.ssl.SSLPeerUnverifiedException |
   java.security.cert.CertificateException | org.apache.kafka.common.errors.TopicAuthorizationException |
   org.apache.kafka.common.errors.GroupAuthorizationException |
   org.apache.kafka.common.errors.ClusterAuthorizationException |
   org.apache.kafka.common.errors.UnsupportedSaslMechanismException |
   org.apache.kafka.common.errors.TransactionalIdAuthorizationException |
   org.apache.kafka.common.errors.SecurityDisabledException |
   org.apache.kafka.common.errors.DelegationTokenDisabledException |
   org.apache.kafka.common.errors.DelegationTokenAuthorizationException
u92 java.nio.file.AccessDeniedException | org.apache.kafka.common.errors.SslAuthenticationException |
   org.springframework.web.client.HttpClientErrorException$Unauthorized |
   com.rabbitmq.client.PossibleAuthenticationFailureException | feign.FeignException$Unauthorized
u93 java.security.cert.CertificateExpiredException | org.springframework.security.access.AccessDeniedException
u95 javax.naming.AuthenticationException | org.hibernate.exception.AuthException |
   org.apache.kafka.common.errors.AuthenticationException | org.apache.kafka.common.errors.AuthorizationException |
   org.springframework.security.core.AuthenticationException | jakarta.jms.JMSSecurityException |
   javax.jms.JMSSecurityException | com.mongodb.MongoSecurityException |
   com.google.api.gax.rpc.PermissionDeniedException | org.springframework.dao.PermissionDeniedDataAccessException |
   org.apache.kafka.common.errors.SaslAuthenticationException
u96 java.sql.SQLInvalidAuthorizationSpecException | org.apache.kafka.common.config.ConfigException |
   org.springframework.amqp.AmqpAuthenticationException | com.rabbitmq.client.AuthenticationFailureException
`;
