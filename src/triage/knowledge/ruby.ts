/** Ruby exception classes. The notation is explained in read-table.ts. */
export const ruby = `
# ruby class
- ArgumentError | RuntimeError | StandardError | Net::HTTPServerException | ActiveRecord::StatementInvalid | PG::Error |
   Mysql2::Error | Mongo::Error::OperationFailure | Faraday::ClientError | HTTParty::ResponseError |
   Sidekiq::JobRetry::Handled | Sidekiq::JobRetry::Skip | Rdkafka::RdkafkaError | Karafka::Errors::BaseError |
   Aws::Errors::ServiceError
b40 ActiveRecord::DatabaseAlreadyExists
b55 Net::SMTPFatalError | ActiveRecord::RecordNotSaved | ActiveRecord::RecordNotDestroyed
b60 Faraday::ConflictError
b65 ActiveRecord::RecordInvalid | ActiveModel::ValidationError | SQLite3::ConstraintException |
   Sequel::ValidationFailed | Mongoid::Errors::Validations
b75 GRPC::AlreadyExists
b76 ActiveRecord::RecordNotUnique | PG::UniqueViolation | Sequel::UniqueConstraintViolation
b80 Aws::DynamoDB::Errors::ConditionalCheckFailedException
b85 PG::CheckViolation | Sequel::CheckConstraintViolation
b90 Stripe::CardError
l58 Errno::ENOENT
l60 JWT::ExpiredSignature
l65 Delayed::DeserializationError
l72 Faraday::ResourceNotFound | RestClient::NotFound
l78 GRPC::NotFound
l80 ActiveRecord::InvalidForeignKey | PG::ForeignKeyViolation | Sequel::ForeignKeyConstraintViolation
l85 ActiveJob::DeserializationError
l88 Sequel::NoMatchingRow
l92 ActiveRecord::RecordNotFound | ActiveStorage::FileNotFoundError | Mongoid::Errors::DocumentNotFound
l95 Aws::S3::Errors::NoSuchKey
p65 StopIteration | ThreadError
p70 FloatDomainError | ActionView::Template::Error
p75 FiberError | JSON::GeneratorError | ActiveRecord::MismatchedForeignKey | ActiveRecord::ReadOnlyRecord |
   ActiveRecord::TransactionIsolationError | PG::UndefinedTable
p78 TypeError | IndexError | RegexpError | ActiveRecord::PreparedStatementInvalid | ActiveRecord::ConfigurationError |
   ActiveModel::MissingAttributeError
p80 UncaughtThrowError | ActiveRecord::UnknownPrimaryKey | PG::UndefinedColumn | Stripe::IdempotencyError
p82 ActiveRecord::AssociationTypeMismatch | ActiveModel::ForbiddenAttributesError
p85 NoMethodError | ZeroDivisionError | LocalJumpError
p88 SystemStackError | ActiveJob::SerializationError
p90 NameError | FrozenError | NotImplementedError | SyntaxError
s50 KeyError
s55 RangeError
s60 Faraday::UnprocessableEntityError | Kafka::MessageSizeTooLarge | Stripe::InvalidRequestError |
   JWT::VerificationError
s65 OpenSSL::Cipher::CipherError | Psych::DisallowedClass | URI::InvalidURIError
s70 ActiveRecord::SubclassNotFound | ActiveSupport::MessageVerifier::InvalidSignature |
   ActiveSupport::MessageEncryptor::InvalidMessage | Faraday::BadRequestError
s75 JSON::NestingError | ActiveRecord::NotNullViolation | ActiveModel::UnknownAttributeError | PG::NotNullViolation |
   Sequel::NotNullConstraintViolation
s78 JWT::DecodeError
s80 Encoding::CompatibilityError
s82 Zlib::Error | Google::Protobuf::TypeError | ActiveRecord::RangeError | ActiveRecord::SerializationTypeMismatch
s85 Avro::AvroError | GRPC::InvalidArgument
s88 EncodingError | Zlib::GzipFile::Error | Dry::Types::ConstraintError | ActiveRecord::ValueTooLong
s90 Avro::SchemaParseError | ActionController::ParameterMissing
s92 Encoding::UndefinedConversionError | Psych::SyntaxError | Date::Error
s93 Encoding::InvalidByteSequenceError | Dry::Struct::Error
s95 CSV::MalformedCSVError | Nokogiri::XML::SyntaxError | REXML::ParseException | JSON::Schema::ValidationError
s96 Google::Protobuf::ParseError | Avro::IO::SchemaMatchException
s97 JSON::ParserError
t50 NoMemoryError | Faraday::ParsingError
t60 SystemExit | ActiveRecord::ReadOnlyError | ActiveStorage::IntegrityError
t65? RestClient::InternalServerError | Resque::DirtyExit | Delayed::WorkerTimeout
t70 PG::ReadOnlySqlTransaction
t70? IOError | Net::HTTPBadResponse | Bunny::ChannelAlreadyClosed
t72 SocketError
t75 Errno::ENOSPC | Errno::EMFILE
t75? Resque::TimeoutError
t80? EOFError
t82 ActiveRecord::DatabaseConnectionError | PG::QueryCanceled
t82? Faraday::ServerError
t85 Interrupt | SignalException | ActiveRecord::QueryCanceled | ActiveRecord::StatementTimeout |
   ActiveRecord::QueryAborted | ActiveRecord::PreparedStatementCacheExpired
t85? Timeout::ExitException | Net::HTTPFatalError | GoodJob::InterruptError
t88 Errno::ENETUNREACH | Resque::TermException
t88? ActiveRecord::AdapterTimeout | Bunny::ConnectionClosedError | Kafka::DeliveryFailed | GRPC::DeadlineExceeded
t90 Errno::EHOSTUNREACH | ActiveRecord::ConnectionNotEstablished
t90? Timeout::Error
t92 ActiveRecord::StaleObjectError
t92? Net::WriteTimeout | Mysql2::Error::TimeoutError | Faraday::ConnectionFailed | Excon::Error::Timeout |
   Excon::Error::Socket
t93 Sequel::DatabaseConnectionError | Mongo::Error::NoServerAvailable
t93? Errno::EPIPE | Errno::ETIMEDOUT | Net::ReadTimeout | PG::ConnectionBad | PG::UnableToSend |
   Mysql2::Error::ConnectionError | Trilogy::BaseConnectionError | Mongo::Error::SocketTimeoutError |
   Mongo::Error::SocketError | Faraday::TimeoutError | RestClient::Exceptions::ReadTimeout | Bunny::NetworkFailure |
   Kafka::ConnectionError | Seahorse::Client::NetworkingError | Stripe::APIConnectionError
t95 Net::SMTPServerBusy | ActiveRecord::TransactionRollbackError | ActiveRecord::LockWaitTimeout |
   ActiveRecord::ConnectionTimeoutError | PG::LockNotAvailable | SQLite3::BusyException | Sequel::PoolTimeout |
   Sidekiq::Shutdown | Bunny::TCPConnectionFailed | CircuitBox::OpenCircuitError | Stoplight::Error::RedLight
t95? Errno::ECONNRESET | ActiveRecord::ConnectionFailed | Sequel::DatabaseDisconnectError | GRPC::Unavailable
t96 Errno::ECONNREFUSED | Net::OpenTimeout | RestClient::Exceptions::OpenTimeout | Sidekiq::Limiter::OverLimit
t97 ActiveRecord::Deadlocked | ActiveRecord::SerializationFailure | PG::TRDeadlockDetected |
   PG::TRSerializationFailure | Sequel::SerializationFailure | Faraday::TooManyRequestsError |
   RestClient::ServiceUnavailable | Stripe::RateLimitError
u60 OpenSSL::SSL::SSLError
u65 Bunny::PreconditionFailed
u75 Pundit::NotAuthorizedError
u78 Faraday::SSLError
u80 Aws::SQS::Errors::NonExistentQueue
u85 ActiveJob::UnknownJobClassError | Faraday::ForbiddenError
u88 LoadError
u90 Errno::EACCES | ActiveRecord::NoDatabaseError
u92 Faraday::UnauthorizedError
u95 Net::SMTPAuthenticationError | ActiveRecord::AdapterNotSpecified | ActiveRecord::AdapterNotFound |
   PG::InsufficientPrivilege | GRPC::PermissionDenied
u96 Bunny::AuthenticationFailureError
`;
