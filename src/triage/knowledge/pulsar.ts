/** Pulsar. The notation is explained in read-table.ts. */
export const pulsar = `
# pulsar code
- 0=UnknownError
l60? 24=TransactionNotFound
p50? 21=InvalidTxnStatus
s95 18=IncompatibleSchema
t50 25=ProducerFenced
t55? 9=ChecksumError
t60 13=ConsumerNotFound | 16=ProducerBusy
t65 5=ConsumerBusy
t70 19=ConsumerAssignError
t75 7=ProducerBlockedQuotaExceededError | 8=ProducerBlockedQuotaExceededException
t85 1=MetadataError | 20=TransactionCoordinatorNotFound | 23=TransactionConflict
t85? 2=PersistenceError
t96 14=TooManyRequests
t97 6=ServiceNotReady
u60 22=NotAllowedError
u70 12=SubscriptionNotFound
u75 11=TopicNotFound | 15=TopicTerminatedError
u80 10=UnsupportedVersionError
u85 17=InvalidTopicName
u95 4=AuthorizationError
u96 3=AuthenticationError
`;
