/** .NET exception classes. The notation is explained in read-table.ts. */
export const dotnet = `
# dotnet class
- System.ArgumentException | System.InvalidOperationException | System.AggregateException |
   System.Reflection.TargetInvocationException | System.ComponentModel.Win32Exception |
   System.Data.SqlClient.SqlException | Microsoft.Data.SqlClient.SqlException | System.Data.Common.DbException |
   Microsoft.EntityFrameworkCore.DbUpdateException | Npgsql.PostgresException | MySqlConnector.MySqlException |
   MySql.Data.MySqlClient.MySqlException | Oracle.ManagedDataAccess.Client.OracleException |
   MongoDB.Driver.MongoWriteException | Microsoft.Azure.Cosmos.CosmosException | Grpc.Core.RpcException |
   Confluent.Kafka.ConsumeException | Confluent.Kafka.ProduceException | Confluent.Kafka.KafkaException |
   Confluent.SchemaRegistry.SchemaRegistryException | Azure.RequestFailedException |
   Azure.Messaging.ServiceBus.ServiceBusException | Azure.Messaging.EventHubs.EventHubsException |
   Amazon.Runtime.AmazonServiceException | Amazon.S3.AmazonS3Exception | Refit.ApiException |
   Flurl.Http.FlurlHttpException | MassTransit.RequestFaultException | MassTransit.MessageRetryLimitExceededException |
   MassTransit.SagaException | Rebus.Exceptions.RebusApplicationException | Rebus.Retry.FailFast.FailFastException |
   Stripe.StripeException | Quartz.JobExecutionException
b70 System.Data.ConstraintException | MassTransit.UnhandledEventException |
   MassTransit.NotAcceptedStateMachineException
b75 MassTransit.JobAlreadyExistsException
b76 MongoDB.Driver.MongoDuplicateKeyException
b80 Amazon.DynamoDBv2.Model.ConditionalCheckFailedException
l60 System.IO.FileNotFoundException
l85 MassTransit.FutureNotFoundException
l88 MassTransit.JobNotFoundException
l93 MassTransit.MessageDataNotFoundException
p55 System.Collections.Generic.KeyNotFoundException
p60 System.Data.DuplicateNameException
p65 System.IO.PathTooLongException | MassTransit.UnknownStateException | MassTransit.UnknownEventException |
   MassTransit.PayloadNotFoundException
p70 System.ObjectDisposedException | System.Net.ProtocolViolationException | AutoMapper.AutoMapperMappingException |
   Confluent.Kafka.MessageNullException
p72 System.ArgumentOutOfRangeException | System.ArgumentNullException
p75 System.ArithmeticException
p78 System.InvalidCastException | System.NotSupportedException
p80 System.Threading.SemaphoreFullException
p85 System.NullReferenceException | System.Threading.LockRecursionException
p88 System.IndexOutOfRangeException | System.DivideByZeroException
p90 System.StackOverflowException
p93 System.NotImplementedException
s55 System.Security.Cryptography.CryptographicException | System.IO.EndOfStreamException
s60 System.OverflowException
s75 Refit.ValidationApiException
s78 FluentValidation.ValidationException
s82 System.ComponentModel.DataAnnotations.ValidationException
s85 System.FormatException | Avro.AvroException
s88 System.IO.InvalidDataException | MongoDB.Bson.BsonSerializationException
s90 Avro.SchemaParseException
s92 System.Text.DecoderFallbackException
s93 System.Runtime.Serialization.SerializationException | Newtonsoft.Json.JsonSerializationException |
   MessagePack.MessagePackSerializationException
s95 System.Xml.XmlException | System.Xml.Schema.XmlSchemaValidationException |
   Newtonsoft.Json.Schema.JSchemaValidationException
s96 System.Text.Json.JsonException | Google.Protobuf.InvalidProtocolBufferException
s97 Newtonsoft.Json.JsonReaderException | NServiceBus.MessageDeserializationException
t50 System.OutOfMemoryException | MassTransit.MessageTimeToLiveExpiredException
t55 MassTransit.MessageDataException
t60 System.Threading.Channels.ChannelClosedException
t65? System.OperationCanceledException
t70? System.IO.IOException | RabbitMQ.Client.Exceptions.OperationInterruptedException
t72? Amazon.Runtime.AmazonClientException
t75 System.Transactions.TransactionAbortedException | Hangfire.Server.JobAbortedException
t75? System.Threading.Tasks.TaskCanceledException | System.Net.WebException | MassTransit.MessageLockExpiredException
t80? System.Net.Http.HttpRequestException | System.Transactions.TransactionManagerCommunicationException |
   MassTransit.MessageNotAcknowledgedException | Elastic.Transport.TransportException
t85 Polly.CircuitBreaker.IsolatedCircuitException
t85? Microsoft.EntityFrameworkCore.Storage.RetryLimitExceededException | Npgsql.NpgsqlException |
   MongoDB.Driver.MongoExecutionTimeoutException | RabbitMQ.Client.Exceptions.AlreadyClosedException
t88? System.Net.Http.HttpIOException
t90 System.Data.DBConcurrencyException | MassTransit.ConnectionException
t90? System.TimeoutException | System.Net.Sockets.SocketException | System.Transactions.TransactionInDoubtException |
   Polly.Timeout.TimeoutRejectedException | MassTransit.RequestTimeoutException |
   StackExchange.Redis.RedisTimeoutException
t92 Microsoft.EntityFrameworkCore.DbUpdateConcurrencyException | MassTransit.ConcurrencyException |
   MassTransit.CosmosConcurrencyException | MassTransit.MongoDbConcurrencyException |
   MassTransit.DynamoDbSagaConcurrencyException | MassTransit.RedisSagaConcurrencyException |
   Rebus.Exceptions.ConcurrencyException
t92? Flurl.Http.FlurlHttpTimeoutException
t93 RabbitMQ.Client.Exceptions.BrokerUnreachableException | MassTransit.TransportUnavailableException
t93? MongoDB.Driver.MongoConnectionException
t95 RabbitMQ.Client.Exceptions.ConnectFailureException | Polly.CircuitBreaker.BrokenCircuitException |
   Polly.Bulkhead.BulkheadRejectedException | Polly.RateLimit.RateLimitRejectedException
t95? StackExchange.Redis.RedisConnectionException
u60 System.UriFormatException
u65 System.TypeInitializationException | System.IO.DirectoryNotFoundException
u75 MassTransit.MessageNotConsumedException | MassTransit.MessageReturnedException
u80 System.MissingMethodException | Amazon.SQS.Model.QueueDoesNotExistException |
   Rebus.Exceptions.MessageCouldNotBeDispatchedToAnyHandlersException
u82 System.IO.FileLoadException | System.Security.Authentication.AuthenticationException | Hangfire.JobLoadException
u85 System.TypeLoadException | MassTransit.EndpointNotFoundException
u88 System.BadImageFormatException | System.Security.SecurityException |
   NServiceBus.Unicast.Queuing.QueueNotFoundException
u90 System.DllNotFoundException | System.UnauthorizedAccessException
u92 Azure.Identity.CredentialUnavailableException
u93 Azure.Identity.AuthenticationFailedException | MassTransit.ConfigurationException
u95 MongoDB.Driver.MongoAuthenticationException
u96 RabbitMQ.Client.Exceptions.AuthenticationFailureException
`;
