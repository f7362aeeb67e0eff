/** PHP classes and texts. The notation is explained in read-table.ts. */
export const php = `
# php class
- ErrorException | Exception | RuntimeException | InvalidArgumentException | PDOException | mysqli_sql_exception |
   SoapFault | Illuminate\\Database\\QueryException | Illuminate\\Queue\\MaxAttemptsExceededException |
   Illuminate\\Queue\\ManuallyFailedException | Illuminate\\Http\\Client\\RequestException |
   Illuminate\\Process\\Exceptions\\ProcessFailedException |
   Symfony\\Component\\Messenger\\Exception\\HandlerFailedException |
   Symfony\\Component\\Messenger\\Exception\\DelayedMessageHandlingException |
   Symfony\\Component\\Messenger\\Exception\\UnrecoverableMessageHandlingException |
   Symfony\\Component\\HttpClient\\Exception\\ClientException | Doctrine\\DBAL\\Exception\\DriverException |
   GuzzleHttp\\Exception\\ClientException | PhpAmqpLib\\Exception\\AMQPProtocolChannelException | AMQPQueueException |
   RdKafka\\Exception | Aws\\Exception\\AwsException | Google\\Cloud\\Core\\Exception\\ServiceException |
   Predis\\Response\\ServerException | MongoDB\\Driver\\Exception\\BulkWriteException
b40 Doctrine\\DBAL\\Exception\\TableExistsException
b60 DomainException
b76 Illuminate\\Database\\UniqueConstraintViolationException |
   Doctrine\\DBAL\\Exception\\UniqueConstraintViolationException
b90 Stripe\\Exception\\CardException
l60 Illuminate\\Support\\ItemNotFoundException
l65 League\\Flysystem\\UnableToReadFile
l72 Illuminate\\Contracts\\Filesystem\\FileNotFoundException
l75 Google\\Cloud\\Core\\Exception\\NotFoundException
l78 Doctrine\\DBAL\\Exception\\ForeignKeyConstraintViolationException
l85 Doctrine\\ORM\\NoResultException
l88 Illuminate\\Contracts\\Queue\\EntityNotFoundException
l90 Illuminate\\Database\\RecordNotFoundException | Illuminate\\Database\\RecordsNotFoundException
l92 Illuminate\\Database\\Eloquent\\ModelNotFoundException | Doctrine\\ORM\\EntityNotFoundException
p50 OverflowException | UnderflowException | Doctrine\\ORM\\Exception\\EntityManagerClosed
p60 Error | OutOfBoundsException | Illuminate\\Database\\MultipleRecordsFoundException |
   Doctrine\\ORM\\NonUniqueResultException
p65 OutOfRangeException
p70 LogicException | Illuminate\\View\\ViewException | Doctrine\\DBAL\\Exception\\DatabaseObjectNotFoundException
p72 Illuminate\\Database\\Eloquent\\JsonEncodingException
p75 ArithmeticError | Illuminate\\Database\\Eloquent\\InvalidCastException |
   Symfony\\Component\\Messenger\\Exception\\LogicException | Doctrine\\DBAL\\Exception\\TableNotFoundException |
   GuzzleHttp\\Exception\\InvalidArgumentException
p78 Illuminate\\Database\\Eloquent\\MissingAttributeException | Illuminate\\Database\\ClassMorphViolationException |
   Illuminate\\Queue\\InvalidPayloadException
p80 TypeError | Doctrine\\ORM\\ORMInvalidArgumentException | Stripe\\Exception\\IdempotencyException
p82 AssertionError | Illuminate\\Database\\Eloquent\\MassAssignmentException |
   Doctrine\\DBAL\\Exception\\InvalidFieldNameException
p85 Illuminate\\Http\\Client\\StrayRequestException | Doctrine\\DBAL\\Exception\\NonUniqueFieldNameException |
   Doctrine\\ORM\\Query\\QueryException
p88 DivisionByZeroError | BadFunctionCallException | BadMethodCallException |
   Illuminate\\Database\\Eloquent\\RelationNotFoundException | Illuminate\\Database\\LazyLoadingViolationException |
   Illuminate\\Contracts\\Container\\CircularDependencyException | Doctrine\\DBAL\\Exception\\SyntaxErrorException
p92 ArgumentCountError | CompileError
p93 ParseError
s50 RangeException | SodiumException
s55 UnhandledMatchError | ValueError | LengthException
s60 UnexpectedValueException | Stripe\\Exception\\InvalidRequestException
s68 Illuminate\\Contracts\\Encryption\\DecryptException
s72 Illuminate\\Http\\Exceptions\\PostTooLargeException |
   Illuminate\\Routing\\Exceptions\\BackedEnumCaseNotFoundException
s75 Doctrine\\DBAL\\Exception\\NotNullConstraintViolationException
s82 Illuminate\\Validation\\ValidationException | Symfony\\Component\\Validator\\Exception\\ValidationFailedException
s85 Symfony\\Component\\Messenger\\Exception\\ValidationFailedException | Doctrine\\DBAL\\Types\\ConversionException
s93 DateMalformedStringException | Symfony\\Component\\Serializer\\Exception\\MissingConstructorArgumentsException |
   Symfony\\Component\\Serializer\\Exception\\ExtraAttributesException |
   Symfony\\Component\\Serializer\\Exception\\PartialDenormalizationException
s95 Symfony\\Component\\Serializer\\Exception\\NotEncodableValueException |
   Symfony\\Component\\Serializer\\Exception\\NotNormalizableValueException
s96 JsonException
s97 Symfony\\Component\\Messenger\\Exception\\MessageDecodingFailedException
t50 Random\\RandomException | Symfony\\Component\\HttpClient\\Exception\\JsonException
t60 League\\Flysystem\\UnableToWriteFile
t60? Illuminate\\Queue\\TimeoutExceededException |
   Symfony\\Component\\Messenger\\Exception\\RejectRedeliveredMessageException
t65 Doctrine\\DBAL\\Exception\\ReadOnlyException
t65? Symfony\\Component\\Process\\Exception\\ProcessSignaledException
t70? Illuminate\\Broadcasting\\BroadcastException | GuzzleHttp\\Exception\\RequestException
t72 Doctrine\\DBAL\\Exception\\ConnectionException
t75 Symfony\\Component\\Messenger\\Exception\\StopWorkerException
t75? Illuminate\\Process\\Exceptions\\ProcessTimedOutException |
   Symfony\\Component\\Mailer\\Exception\\TransportException |
   Symfony\\Component\\Process\\Exception\\ProcessTimedOutException
t82? Symfony\\Component\\HttpClient\\Exception\\ServerException | GuzzleHttp\\Exception\\ServerException
t85 Symfony\\Component\\Lock\\Exception\\LockAcquiringException
t85? PhpAmqpLib\\Exception\\AMQPTimeoutException | MongoDB\\Driver\\Exception\\ExecutionTimeoutException
t88 Doctrine\\DBAL\\Exception\\TransactionRolledBack
t88? Symfony\\Component\\Messenger\\Exception\\TransportException
t90 Illuminate\\Contracts\\Filesystem\\LockTimeoutException
t92 Doctrine\\ORM\\OptimisticLockException
t92? PhpAmqpLib\\Exception\\AMQPConnectionClosedException | PhpAmqpLib\\Exception\\AMQPIOException |
   AMQPConnectionException
t93 Symfony\\Component\\Lock\\Exception\\LockConflictedException | GuzzleHttp\\Exception\\ConnectException |
   MongoDB\\Driver\\Exception\\ConnectionTimeoutException | Elastic\\Transport\\Exception\\NoNodeAvailableException
t93? Illuminate\\Database\\LostConnectionException | Illuminate\\Http\\Client\\ConnectionException |
   Symfony\\Component\\HttpClient\\Exception\\TransportException |
   Symfony\\Component\\HttpClient\\Exception\\TimeoutException | Predis\\Connection\\ConnectionException |
   Stripe\\Exception\\ApiConnectionException
t95 Illuminate\\Contracts\\Cache\\LockTimeoutException | Illuminate\\Contracts\\Redis\\LimiterTimeoutException |
   Illuminate\\Cache\\Limiters\\LimiterTimeoutException |
   Symfony\\Component\\Messenger\\Exception\\RecoverableMessageHandlingException |
   Doctrine\\DBAL\\Exception\\LockWaitTimeoutException
t95? Doctrine\\DBAL\\Exception\\ConnectionLost | PhpAmqpLib\\Exception\\AMQPHeartbeatMissedException
t96 Illuminate\\Http\\Exceptions\\ThrottleRequestsException
t97 Illuminate\\Database\\DeadlockException | Doctrine\\DBAL\\Exception\\DeadlockException |
   Stripe\\Exception\\RateLimitException
u60 Illuminate\\Contracts\\Encryption\\EncryptException
u65 Illuminate\\Routing\\Exceptions\\InvalidSignatureException |
   Symfony\\Component\\Messenger\\Exception\\InvalidArgumentException |
   GuzzleHttp\\Exception\\TooManyRedirectsException
u75 Illuminate\\Validation\\UnauthorizedException | Opis\\JsonSchema\\Exceptions\\SchemaException
u80 Illuminate\\Auth\\Access\\AuthorizationException | Doctrine\\DBAL\\Exception\\SchemaDoesNotExist
u82 Illuminate\\Container\\EntryNotFoundException
u85 Illuminate\\Contracts\\Container\\BindingResolutionException |
   Symfony\\Component\\Messenger\\Exception\\NoHandlerForMessageException |
   Symfony\\Component\\Messenger\\Exception\\NoSenderForMessageException
u90 Illuminate\\Auth\\AuthenticationException |
   Symfony\\Component\\DependencyInjection\\Exception\\ServiceNotFoundException |
   Doctrine\\DBAL\\Exception\\DatabaseDoesNotExist
u92 Symfony\\Component\\Security\\Core\\Exception\\AuthenticationException
u93 Illuminate\\Database\\SQLiteDatabaseDoesNotExistException | Aws\\Exception\\CredentialsException
u97 Illuminate\\Encryption\\MissingAppKeyException
# php-message message
- No such file or directory
p60 Allowed memory size of
p65 Trying to access array offset on
p70 Undefined property
p85 Call to a member function
s50 Undefined array key
t55? Maximum execution time
t62 cURL error 6
t65 getaddrinfo failed | could not translate host name
t68 running with the --read-only option
t70 Read only sql transaction
t70? decryption failed or bad record mac
t75? Packets out of order
t80 Resource deadlock avoided
t85 Adaptive Server connection failed | Login timeout expired | Server is in script upgrade mode
t85? is dead or not enabled | child connection forced to terminate due to client_idle_limit |
   Channel connection is closed
t88 failed to connect to
t88? Error while sending
t90 TCP Provider: Error code 0x274C
t90? no connection to the server | connection is no longer usable | SSL error: unexpected eof
t92 query_wait_timeout | canceling statement due to conflict with recovery |
   Record has changed since last read in table
t92? SSL connection has been closed unexpectedly | Physical connection is not usable | TCP Provider: Error code 0x68 |
   connection is broken and recovery is not possible | Connection timed out | cURL error 28 | cURL error 52 |
   cURL error 56
t93 Temporary failure in name resolution | transaction pool connection limit exceeded | cURL error 7
t93? server has gone away | Lost connection | Communication link failure | SSL SYSCALL error: EOF detected |
   client was disconnected by the server because of inactivity | server is shutting down | Broken pipe
t95 Seamless Scaling | vtgate connection error: no healthy endpoints | current keyspace is being resharded |
   no healthy tablet available | Lock wait timeout exceeded
t95? server closed the connection unexpectedly | reset by peer
t96 primary is not serving, there may be a reparent operation in progress | WSREP detected deadlock/conflict
t97 Deadlock found when trying to get lock | deadlock detected | has been chosen as the deadlock victim
u60 cURL error 35
u90 Access denied for user
u92 cURL error 60
`;
