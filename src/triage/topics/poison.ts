import type { Topic } from "./topic.ts";

/** Bugs: the same input fails the same way until the code changes. */
export const poisonTopics: readonly Topic[] = [
  {
    id: "null-dereference",
    confidence: 0.88,
    means: "the code used something that was not there",
    phrases: `cannot read propert* | cannot set propert* | can t read propert* | of undefined reading | of null reading
      | undefined is not an object | null is not an object | is not a function | is undefined | nonetype
      | null pointer* | null pointer | null reference* | null reference | object reference not set | objektverweis
      | nil pointer dereference | invalid memory address | segmentation violation | segmentation fault | sigsegv
      | for nil nilclass | undefined method + nil | undefined method | on a none value | of non object
      | on an undefined value | trying to access array offset | member function + null | value cannot be null
      | argument null* | access null | attempt to index a nil | attempt to call a nil | unwrap on a none
      | option unwrap | unwrap_failed + none | nil is undefined | no method error | null dereference | access violation
      | must be of type + null given | function nil | kotlin uninitialized property access exception
      | lateinit property | attribute error nonetype | cannot destructure property | function on null | method on null
      | property on null | because + is null | object reference | null object | null value exception | none value
      | is nil | nil value | null check operator | unexpectedly found nil`,
  },
  {
    id: "out-of-bounds",
    confidence: 0.9,
    means: "the code reached beyond the end of something",
    phrases: `index out of range | index out of bounds | index out of bounds* | out of bounds* | out of bounds
      | slice bounds out of range | list index out of range | string index out of range | array index | index error
      | index was outside the bounds | sequence contains no elements | sequence contains more than one | empty list
      | array index* | undefined offset | undefined index | undefined array key | was not present in the dictionary
      | not enough values to unpack | too many values to unpack | string index* | range check error
      | negative array size* | prelude head | key error | key not found in | no element | list is empty
      | empty sequence | empty collection | array is empty | out of range index | pop from empty
      | max arg is an empty sequence | reduce of empty`,
  },
  {
    id: "wrong-code",
    confidence: 0.9,
    means: "the code itself is wrong here",
    phrases: `is not defined | undefined local variable | undefined variable | referenced before assignment
      | unbound local* | reference error | nameerror | unsupported operand | not subscriptable | is not iterable
      | not iterable | not callable | is not a constructor | has no attribute | attribute error | no attribute
      | wrong number of arguments | unexpected keyword argument | missing + positional argument
      | takes + positional argument* | no function clause matching | function clause* | no match of right hand side
      | badarith | badarg | function_clause | case_clause | match error | no case clause | undefinedfunction*
      | undefined function | bad argument in arithmetic | arithmetic error | arithmetic exception | by zero
      | zero division* | division by zero | integer divide by zero | divide by zero | subtract with overflow
      | add with overflow | multiply with overflow | attempt to + overflow | integer overflow | stack overflow
      | stack overflow* | maximum call stack | maximum recursion | recursion depth | recursion error
      | stack level too deep | system stack error | class cast* | cannot be cast to class | invalid cast*
      | unable to cast object | interface conversion | nil map | concurrent map | concurrent modification
      | concurrent modification* | all goroutines are asleep | send on closed channel | close of closed channel
      | assertion failed | assertion error | assert failed | unreachable code | entered unreachable code
      | not implemented | not implemented* | unsupported operation* | lazily initialize | lazy initialization*
      | no session | disposed context | disposed object | object disposed* | cannot access a disposed | use after close
      | already been disposed | collection was modified | frozen error | can t modify frozen | abstract method error
      | no such method error | no such method | no such property | no such field* | incompatible class change*
      | illegal monitor* | method not found | cannot be converted to a bigint | serialize a bigint
      | converting circular structure | circular structure | circular reference | is not json serializable
      | not serializable | not serializable* | encode error | could not serialize value | cannot serialize
      | must be str not bytes | expected str bytes | bytes like object is required | object must be str
      | invalid time value | invalid array length | regex + timed out | regex match timeout*
      | catastrophic backtracking | nondeterministic | non deterministic | nondeterminism | unhandled enum
      | unhandled case | unexpected state in code | logic error | logic exception | bad method call*
      | programming error | cannot be converted to a big int | cannot be converted to a BigInt | serialize a big int
      | unexpected nil | unexpected null | cannot assign | invalid operation | invalid operands | type assertion
      | must implement | no overload | not supported between instances | unhashable type | can t convert + into
      | no implicit conversion | can t be coerced | nil can t be coerced | undefined constant | undefined class
      | call to undefined | call to a member function | too few arguments | too many arguments
      | argument must be + none type | expected a string or bytes | int object | str object | list object | dict object
      | bool object | float object | badmatch | badmap | badkey | case clause | function clause | try clause | undef
      | is not a subtype of type | bad optional access | bad variant access | bad alloc at | not a char boundary
      | range check | m range check | pure virtual | double free | use of uninitialized | uninitialized value
      | template syntax error | unknown tag | liquid syntax error | template error | template not found in
      | evaluated to null or missing | undefined error | undefined property | undefined array key | undefined symbol
      | undefined reference | no such attribute | protocol + not implemented | not implemented for | cannot be invoked
      | cannot instantiate | instantiation exception | illegal access | reflection + exception | no default constructor
      | unsupported operation | operation is not supported | invalid cast | bad cast | cast exception
      | invalid state in code | infinite loop | wrong argument type | wrong type argument | bad argument
      | invalid receiver | stack exhausted | overflow error | arithmetic overflow`,
  },
  {
    id: "bad-query",
    confidence: 0.85,
    means: "the query does not fit the database it is sent to",
    phrases: `syntax error at or near | error in your sql syntax | sql syntax | syntax error exception | sql grammar*
      | bad sql grammar | unknown column | column + does not exist | no such column | invalid column name
      | invalid identifier | ambiguous column | undefined column | undefinedcolumn | bad sql grammar*
      | incorrect syntax near | wrongtype | wrong kind of value | crossslot | hash to the same slot | unknown command
      | wrong number of parameters | bind message supplies | invalid parameter number | number of parameters
      | unknown operator | unrecognized pipeline stage | parsing_exception + query | query_shard_exception | soql`,
  },
  {
    id: "too-large",
    confidence: 0.86,
    means: "this message passes a hard limit every time it is tried",
    phrases: `too large | larger than the max | message larger than | record too large* | message too large*
      | message too large | message size exceed* | message size exceeded* | payload too large | entity too large
      | request entity too large | request too large | content too large | body too large | packet too large
      | packet bigger | max_allowed_packet | exceeds the maximum message size | exceeds maximum message size
      | exceeds the size limit | size limit exceeded | exceeds the maximum size | exceeded maximum allowed payload
      | maximum payload | larger than is currently allowed | larger than the maximum | bigger than the maximum
      | size must be between | bsonobj size | document exceeds maximum | document is larger than
      | bson document too large | bson size | item size has exceeded | item size to update has exceeded
      | maximum context length | context length exceeded | context_length_exceeded | context window
      | prompt is too long | too many tokens | max tokens | allowed memory size | memory exhausted
      | memory limit exceeded | too many soql | apex cpu | governor limit | limit exception | apex heap
      | heap size too large | received message larger than max | frame size | frame too large | exceeded max length
      | string length exceeds`,
  },
];
