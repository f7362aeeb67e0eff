/**
 * Causes of failures as `class ¦ code ¦ message ¦ stack`. What stands in braces is drawn anew for every letter: see
 * letters-of-cause.ts. Frames are set apart by `;;`.
 */
export const causes = `
ActiveRecord::RecordNotFound ¦ ¦ Couldn't find Order with 'id'={int} ¦ app/jobs/ship_job.rb:{line}:in \`perform'
ActiveRecord::RecordNotFound ¦ ¦ Couldn't find Customer with 'id'={int} ¦ app/jobs/mail_job.rb:{line}:in \`perform'
ActiveRecord::Deadlocked ¦ ¦ Mysql2::Error: Deadlock found when trying to get lock; try restarting transaction: UPDATE \`stock\` SET \`n\` = {int} WHERE \`id\` = {int} ¦ app/models/stock.rb:{line}:in \`reserve'
NoMethodError ¦ ¦ undefined method \`total_cents' for nil:NilClass ¦ app/workers/invoice_worker.rb:{line}:in \`perform'
NoMethodError ¦ ¦ undefined method \`zip' for nil:NilClass ¦ app/workers/label_worker.rb:{line}:in \`perform'
Stripe::CardError ¦ card_declined ¦ Your card was declined. (Request {reqid}) ¦
Stripe::CardError ¦ insufficient_funds ¦ Your card has insufficient funds. (Request {reqid}) ¦
TypeError ¦ ¦ Cannot read properties of undefined (reading 'street') ¦ at label ({path}/src/label.ts:{line}:{line}) ;; at run ({path}/src/run.ts:{line}:{line})
TypeError ¦ ¦ Cannot read properties of undefined (reading 'iban') ¦ at payout ({path}/src/payout.ts:{line}:{line}) ;; at run ({path}/src/run.ts:{line}:{line})
Error ¦ ECONNREFUSED ¦ connect ECONNREFUSED {ip}:{port} ¦ at connectStock ({path}/src/stock.ts:{line}:{line})
Error ¦ ECONNREFUSED ¦ connect ECONNREFUSED {ip}:{port} ¦ at connectLedger ({path}/src/ledger.ts:{line}:{line})
Error ¦ ETIMEDOUT ¦ connect ETIMEDOUT {ip}:{port} ¦ at connectStock ({path}/src/stock.ts:{line}:{line})
AxiosError ¦ ERR_BAD_RESPONSE ¦ Request failed with status code 503 ¦ at getPrice ({path}/src/price.ts:{line}:{line})
AxiosError ¦ ERR_BAD_REQUEST ¦ Request failed with status code 404 ¦ at getPrice ({path}/src/price.ts:{line}:{line})
ZodError ¦ ¦ [{"code":"invalid_type","path":["lines",{digit},"sku"],"message":"Invalid input: expected string, received undefined"}] ¦
ZodError ¦ ¦ [{"code":"invalid_type","path":["lines",{digit},"price"],"message":"Invalid input: expected number, received string"}] ¦
SyntaxError ¦ ¦ Unexpected token '{char}', "{word}" is not valid JSON ¦ at JSON.parse (<anonymous>) ;; at onOrder ({path}/src/orders.ts:{line}:{line})
BusinessError ¦ ¦ Could not settle invoice {invoice} of customer {uuid}: the period {month} is closed ¦ at settle ({path}/src/settle.ts:{line}:{line})
BusinessError ¦ ¦ Refund of {money} for order {ulid} refused: more than the {money} that were paid ¦ at refund ({path}/src/refund.ts:{line}:{line})
Error ¦ ¦ Worker {host} gave up on {email} after {duration}: mailbox full ¦
Error ¦ ¦ Worker {host} gave up on {email} after {duration}: greylisted, come back later ¦
Error ¦ ¦ while importing {url} at {iso}: checksum {hex} does not match {hex} ¦
Error ¦ ¦ while importing {url} at {iso}: file is empty ¦
java.lang.NullPointerException ¦ ¦ Cannot invoke "com.shop.Customer.getAddress()" because "customer" is null ¦ at com.shop.ship.LabelService.create(LabelService.java:{line}) ;; at com.shop.ship.Handler.on(Handler.java:{line})
java.lang.NullPointerException ¦ ¦ ¦ at com.shop.tax.RateTable.rate(RateTable.java:{line}) ;; at com.shop.tax.Handler.on(Handler.java:{line})
java.lang.NullPointerException ¦ ¦ ¦ at com.shop.cart.Merger.merge(Merger.java:{line}) ;; at com.shop.cart.Handler.lambda$on$${"{digit}"}(Handler.java:{line})
java.lang.IllegalStateException ¦ ¦ Order {int} is in state CANCELLED and cannot be shipped ¦ at com.shop.Order.ship(Order.java:{line})
java.lang.IllegalStateException ¦ ¦ Payment {uuid} was captured already ¦ at com.shop.Payment.capture(Payment.java:{line})
org.postgresql.util.PSQLException ¦ 23505 ¦ ERROR: duplicate key value violates unique constraint "orders_number_key" Detail: Key (number)=({invoice}) already exists. ¦ at com.shop.OrderStore.insert(OrderStore.java:{line})
org.postgresql.util.PSQLException ¦ 23505 ¦ ERROR: duplicate key value violates unique constraint "users_email_key" Detail: Key (email)=({email}) already exists. ¦ at com.shop.UserStore.insert(UserStore.java:{line})
org.postgresql.util.PSQLException ¦ 40001 ¦ ERROR: could not serialize access due to concurrent update ¦ at com.shop.StockStore.take(StockStore.java:{line})
org.apache.kafka.connect.errors.ConnectException ¦ ¦ Tolerance exceeded in error handler ¦ at org.apache.kafka.connect.runtime.WorkerSinkTask.convert(WorkerSinkTask.java:{line}) ;; Caused by: org.apache.kafka.connect.errors.DataException: Converting byte[] to Kafka Connect data failed at offset {int}
org.apache.kafka.connect.errors.ConnectException ¦ ¦ Tolerance exceeded in error handler ¦ at org.apache.kafka.connect.runtime.WorkerSinkTask.convert(WorkerSinkTask.java:{line}) ;; Caused by: io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException: Subject {quoted} not found.; error code: 40401
com.fasterxml.jackson.databind.exc.MismatchedInputException ¦ ¦ Cannot deserialize value of type \`java.time.LocalDate\` from String {quoted}: not a date at [Source: (String){quoted}; line: {int}, column: {int}] ¦
com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException ¦ ¦ Unrecognized field "colour" (class com.shop.Item), not marked as ignorable at [Source: (byte[]){quoted}; line: {int}, column: {int}] ¦
feign.RetryableException ¦ ¦ Read timed out executing POST {url} ¦ at com.shop.bank.BankClient.transfer(BankClient.java:{line})
io.grpc.StatusRuntimeException ¦ UNAVAILABLE ¦ UNAVAILABLE: io exception Channel Pipeline: [Handler#{int}, Sink#{int}] ¦ at com.shop.geo.GeoClient.locate(GeoClient.java:{line})
System.Net.Http.HttpRequestException ¦ ¦ No connection could be made because the target machine actively refused it. ({host}:{port}) ¦ at Shop.Crm.Client.PushAsync(Contact contact) in {winpath}\\Client.cs:line {line}
System.InvalidOperationException ¦ ¦ Sequence contains no elements ¦ at System.Linq.ThrowHelper.ThrowNoElementsException() ;; at Shop.Billing.InvoiceHandler.Handle(OrderPlaced message) in {winpath}\\Invoice.cs:line {line}
System.InvalidOperationException ¦ ¦ Sequence contains no elements ¦ at System.Linq.ThrowHelper.ThrowNoElementsException() ;; at Shop.Shipping.RouteHandler.Handle(OrderPacked message) in {winpath}\\Route.cs:line {line}
Microsoft.Data.SqlClient.SqlException ¦ 2627 ¦ Violation of PRIMARY KEY constraint 'PK_Orders'. Cannot insert duplicate key in object 'dbo.Orders'. The duplicate key value is ({uuid}). ¦
Microsoft.Data.SqlClient.SqlException ¦ 1205 ¦ Transaction (Process ID {int}) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. ¦
Azure.RequestFailedException ¦ BlobNotFound ¦ The specified blob does not exist. RequestId:{uuid} Time:{iso} ¦
KeyError ¦ ¦ 'customer_id' ¦ app/tasks.py:{line} in process: cid = event["customer_id"]
KeyError ¦ ¦ 'currency' ¦ app/prices.py:{line} in convert: cur = event["currency"]
django.db.utils.IntegrityError ¦ ¦ null value in column "user_id" of relation "shop_order" violates not-null constraint DETAIL: Failing row contains ({int}, null, {int}, {email}). ¦ shop/models.py:{line} in place
django.db.utils.DataError ¦ ¦ value too long for type character varying(20) ¦ shop/models.py:{line} in rename
requests.exceptions.ConnectionError ¦ ¦ HTTPSConnectionPool(host={quoted}, port=443): Max retries exceeded with url: /v2/items/{int} (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x{hex}>: Failed to establish a new connection: [Errno 111] Connection refused')) ¦ shop/feeds.py:{line} in pull
requests.exceptions.ReadTimeout ¦ ¦ HTTPSConnectionPool(host={quoted}, port=443): Read timed out. (read timeout={digit}) ¦ shop/feeds.py:{line} in pull
botocore.exceptions.ClientError ¦ NoSuchKey ¦ An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist. ¦ shop/files.py:{line} in load
botocore.exceptions.ClientError ¦ ProvisionedThroughputExceededException ¦ An error occurred (ProvisionedThroughputExceededException) when calling the PutItem operation (reached max retries: {digit}): too fast ¦ shop/events.py:{line} in put
panic ¦ ¦ runtime error: index out of range [{digit}] with length {digit} ¦ main.parseLine(0x{hex}, 0x{hex}) {path}/parse.go:{line} +0x{hex}
panic ¦ ¦ runtime error: invalid memory address or nil pointer dereference [signal SIGSEGV: segmentation violation code=0x1 addr=0x{hex} pc=0x{hex}] ¦ main.(*Worker).handle(0x{hex}) {path}/worker.go:{line} +0x{hex}
*json.UnmarshalTypeError ¦ ¦ decode event {ulid}: json: cannot unmarshal string into Go struct field Order.amount of type int64 ¦
*json.UnmarshalTypeError ¦ ¦ decode event {ulid}: json: cannot unmarshal number into Go struct field Order.note of type string ¦
error ¦ ¦ load customer {int}: sql: no rows in result set ¦
error ¦ ¦ charge {money} to {iban}: bank says: account blocked since {date} ¦
error ¦ ¦ charge {money} to {iban}: bank says: daily limit of {money} reached ¦
serde_json::Error ¦ ¦ missing field \`order_id\` at line {digit} column {int} ¦
Ecto.NoResultsError ¦ ¦ expected at least one result but got none in query: from u0 in Shop.User, where: u0.id == ^{int} ¦ (shop 0.{digit}.{digit}) lib/shop/users.ex:{line}: Shop.Users.get!/1
`;

/** Not looked at while the fingerprint was written. */
export const heldOutCauses = `
Doctrine\\DBAL\\Exception\\UniqueConstraintViolationException ¦ 1062 ¦ An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '{invoice}' for key 'invoice_no' ¦ #0 {path}/src/Invoice.php({line}): App\\Invoice->save()
Illuminate\\Database\\Eloquent\\ModelNotFoundException ¦ ¦ No query results for model [App\\Models\\Order] {int} ¦ #0 {path}/app/Jobs/Ship.php({line}): App\\Jobs\\Ship->handle()
Illuminate\\Database\\Eloquent\\ModelNotFoundException ¦ ¦ No query results for model [App\\Models\\Coupon] {int} ¦ #0 {path}/app/Jobs/Redeem.php({line}): App\\Jobs\\Redeem->handle()
GuzzleHttp\\Exception\\ClientException ¦ ¦ Client error: \`POST {url}\` resulted in a \`422 Unprocessable Entity\` response: {"errors":{"email":["{email} is not deliverable"]},"message":"The given data was invalid."} ¦
GuzzleHttp\\Exception\\ServerException ¦ ¦ Server error: \`GET {url}\` resulted in a \`502 Bad Gateway\` response ¦
RuntimeException ¦ ¦ Sync of warehouse {quoted} stopped at row {int} of {int} ({iso}): unknown unit ¦
RuntimeException ¦ ¦ Sync of warehouse {quoted} stopped at row {int} of {int} ({iso}): negative quantity {int} ¦
com.shop.DomainException ¦ ¦ [{uuid}] tenant={word} user={email} action=approve rejected: four eyes needed ¦
com.shop.DomainException ¦ ¦ [{uuid}] tenant={word} user={email} action=approve rejected: limit of {money} exceeded ¦
com.shop.DomainException ¦ ¦ [{uuid}] tenant={word} user={email} action=cancel rejected: already delivered on {date} ¦
org.springframework.web.client.ResourceAccessException ¦ ¦ I/O error on GET request for {quoted}: Connect to {host}:{port} [{host}/{ip}] failed: connect timed out ¦ at com.shop.fx.Rates.load(Rates.java:{line})
com.mongodb.MongoWriteException ¦ 11000 ¦ Write operation error on server {host}:{port}. Write error: WriteError{code=11000, message='E11000 duplicate key error collection: shop.carts index: owner_1 dup key: { owner: {quoted} }', details={}}. ¦
Elasticsearch::Transport::Transport::Errors::BadRequest ¦ ¦ [400] {"error":{"type":"mapper_parsing_exception","reason":"failed to parse field [{word}.date] of type [date] in document with id '{ulid}'"}} ¦
celery.exceptions.SoftTimeLimitExceeded ¦ ¦ SoftTimeLimitExceeded() ¦ shop/reports.py:{line} in build_monthly
celery.exceptions.SoftTimeLimitExceeded ¦ ¦ SoftTimeLimitExceeded() ¦ shop/export.py:{line} in dump_all
pydantic.ValidationError ¦ ¦ 1 validation error for Shipment\\nweight\\n  Input should be a valid number [type=float_type, input_value={quoted}, input_type=str] ¦
pydantic.ValidationError ¦ ¦ 1 validation error for Shipment\\ncountry\\n  Field required [type=missing, input_value={'id': {int}}, input_type=dict] ¦
ValueError ¦ ¦ time data {quoted} does not match format '%Y-%m-%d' ¦ shop/parse.py:{line} in due_date
Error ¦ ¦ Bestellung {int} vom {date} konnte nicht gebucht werden: Konto {iban} gesperrt ¦
Error ¦ ¦ Bestellung {int} vom {date} konnte nicht gebucht werden: Betrag {money} zu hoch ¦
OutOfMemoryError ¦ ¦ Allowed memory size of {int} bytes exhausted (tried to allocate {int} bytes) ¦ #0 {path}/src/Export.php({line}): App\\Export->csv()
AccessDenied ¦ AccessDenied ¦ User: arn:aws:sts::{int}:assumed-role/worker/{hex} is not authorized to perform: s3:PutObject on resource: arn:aws:s3:::bucket-{word}/{uuid} ¦
AccessDenied ¦ AccessDenied ¦ User: arn:aws:sts::{int}:assumed-role/worker/{hex} is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:eu-west-1:{int}:key/{uuid} ¦
TwilioRestException ¦ 21211 ¦ Unable to create record: The 'To' number {phone} is not a valid phone number. ¦
`;
