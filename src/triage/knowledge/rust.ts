/** Rust error types and texts. The notation is explained in read-table.ts. */
export const rust = `
# rust class
- tonic::Status | sqlx::Error::Database | sqlx::Error::AnyDriverError | diesel::result::Error::RollbackTransaction |
   tokio_postgres::Error | mongodb::error::Error | redis::RedisError | rdkafka::error::KafkaError |
   aws_smithy_runtime_api::client::result::SdkError::ServiceError
b50 std::io::ErrorKind::AlreadyExists
b76 sqlx::error::ErrorKind::UniqueViolation | diesel::result::DatabaseErrorKind::UniqueViolation
b85 sqlx::error::ErrorKind::CheckViolation | sqlx::error::ErrorKind::ExclusionViolation |
   diesel::result::DatabaseErrorKind::CheckViolation
l58 std::io::ErrorKind::NotFound
l75 sea_orm::DbErr::RecordNotUpdated
l80 sqlx::error::ErrorKind::ForeignKeyViolation | diesel::result::DatabaseErrorKind::ForeignKeyViolation
l85 sqlx::Error::RowNotFound | diesel::result::Error::NotFound
l88 sea_orm::DbErr::RecordNotFound
p55 tokio::task::JoinError
p60 std::time::SystemTimeError
p65 std::io::ErrorKind::InvalidInput | std::sync::PoisonError | redis::ErrorKind::TypeError
p70 std::io::ErrorKind::Unsupported
p72 sqlx::Error::Encode
p75 sqlx::Error::InvalidArgument | sqlx::Error::TypeNotFound |
   aws_smithy_runtime_api::client::result::SdkError::ConstructionFailure
p80 sqlx::Error::InvalidSavePointStatement
p82 sqlx::Error::ColumnNotFound
p88 sqlx::Error::ColumnIndexOutOfBounds
s60 url::ParseError
s72 std::num::TryFromIntError
s75 sqlx::Error::ColumnDecode | sqlx::error::ErrorKind::NotNullViolation |
   diesel::result::DatabaseErrorKind::NotNullViolation | diesel::result::Error::DeserializationError
s78 sqlx::Error::Decode
s85 std::io::ErrorKind::InvalidData | protobuf::Error | apache_avro::Error | csv::Error
s88 serde_yaml::Error | std::num::ParseIntError | std::num::ParseFloatError | std::str::ParseBoolError
s90 validator::ValidationErrors
s92 bincode::Error
s93 serde_json::error::Category::Eof | serde::de::value::Error | ciborium::de::Error | prost::UnknownEnumValue |
   quick_xml::Error | std::str::Utf8Error | std::string::FromUtf8Error | chrono::ParseError | time::error::Parse |
   uuid::Error | base64::DecodeError | hex::FromHexError
s95 serde_json::Error | rmp_serde::decode::Error
s96 prost::DecodeError
s97 serde_json::error::Category::Syntax | serde_json::error::Category::Data
t50 std::io::ErrorKind::OutOfMemory
t50? sqlx::Error::Protocol
t55 std::sync::mpsc::RecvError | tokio::sync::mpsc::error::SendError
t60 sqlx::Error::PoolClosed
t60? std::io::ErrorKind::UnexpectedEof | reqwest::Error
t65 sqlx::Error::BeginFailed | diesel::result::DatabaseErrorKind::ReadOnlyTransaction
t65? lapin::Error
t70? sqlx::Error::WorkerCrashed
t75 std::io::ErrorKind::StorageFull
t75? hyper::Error
t80? std::io::ErrorKind::NotConnected
t82? h2::Error
t85 std::io::ErrorKind::Interrupted | std::io::ErrorKind::WouldBlock | std::io::ErrorKind::ResourceBusy
t85? hyper_util::client::legacy::Error
t88 std::io::ErrorKind::NetworkUnreachable
t90 std::io::ErrorKind::HostUnreachable | redis::ErrorKind::ReadOnly
t90? tokio::time::error::Elapsed | tonic::transport::Error | sea_orm::DbErr::Conn |
   aws_smithy_runtime_api::client::result::SdkError::DispatchFailure
t92? std::io::ErrorKind::ConnectionAborted | std::io::ErrorKind::TimedOut | sqlx::Error::Io |
   aws_sdk_sqs::error::SdkError::TimeoutError
t93 std::io::ErrorKind::NetworkDown | sea_orm::DbErr::ConnectionAcquire
t93? std::io::ErrorKind::BrokenPipe | diesel::result::DatabaseErrorKind::ClosedConnection | redis::ErrorKind::IoError
t95 sqlx::Error::PoolTimedOut | deadpool::managed::PoolError::Timeout | bb8::RunError::TimedOut |
   redis::ErrorKind::ClusterDown
t95? std::io::ErrorKind::ConnectionReset
t96 std::io::ErrorKind::ConnectionRefused
t97 diesel::result::DatabaseErrorKind::SerializationFailure | redis::ErrorKind::BusyLoadingError |
   redis::ErrorKind::TryAgain
u70 std::io::ErrorKind::AddrInUse
u72 toml::de::Error
u75 rustls::Error | native_tls::Error
u80 sqlx::Error::Tls | sqlx::Error::Migrate
u90 std::io::ErrorKind::PermissionDenied
u93 sqlx::Error::Configuration
u95 std::env::VarError | config::ConfigError
u96 redis::ErrorKind::AuthenticationFailed
# rust message
- called \`Result::unwrap()\` on an \`Err\` value
p82 byte index
p85 attempt to add with overflow
p88 attempt to subtract with overflow
p92 called \`Option::unwrap()\` on a \`None\` value | index out of bounds | attempt to divide by zero
p93 already borrowed: BorrowMutError | internal error: entered unreachable code
p95 not yet implemented
`;
