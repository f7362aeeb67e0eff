import type { Topic } from "./topic.ts";

/** It refers to something that does not exist any more. */
export const lostTopics: readonly Topic[] = [
  {
    id: "gone",
    confidence: 0.88,
    means: "what it refers to does not exist any more",
    phrases: `matching query does not exist | no longer exist* | does not exist any more | record not found
      | record to update not found | record to delete does not exist | records that were required but not found
      | entity not found | entity not found* | object not found | object not found* | resource not found
      | resource not found* | resource_missing | model not found* | no query results for model | document not found*
      | document missing | document_missing_exception | document not found | user not found | unknown user
      | unknown customer | unknown order | unknown account | unknown message | unknown channel | unknown member
      | unknown entity | unknown id | unknown recipient | unknown product | unknown tenant | no rows in result set
      | no rows returned | no rows affected | no documents in result | no row with the given identifier
      | no entity found | no result* | no result* found | no results found | at least one result but got none
      | empty result* | expected 1 actual 0 | expected at least one | no value present | no such key | no such upload
      | key does not exist | nokey | blob not found | blob does not exist | specified blob | object does not exist
      | file not found | file not found* | no such file | enoent | file does not exist | no such object
      | no such customer | no such user | no such order | no such subscription | no such message | no such job
      | has been deleted | was deleted | been removed | was removed | is deleted | entity is deleted
      | entity_is_deleted | status gone | 410 gone | already deleted | already been deleted | already removed
      | deleted user | deleted account | orphan* | dangling | null entity | unable to update saga | saga + not found
      | saga with id | no saga | missing saga | workflow execution already completed | workflow not found
      | session not found | session expired | session has expired | cart not found | channel_not_found | user_not_found
      | token is not registered | registration token | device token | bad device token | subscription + gone
      | subscription has unsubscribed or expired | invalid registration | mailbox unavailable | mailbox not found
      | user unknown | no such recipient | account that you tried to reach does not exist | recipient address rejected
      | email account + does not exist | address not found | no mailbox here | tenant + not found | offset out of range
      | message not found | out of retention | has been compacted | snapshot too old | cursor not found | no lc context
      | search context | token not found | invite not found | unknown variant id | reference not found
      | referenced + not found | nothing to update | row with this primary key does not exist`,
  },
  {
    id: "missing-parent",
    confidence: 0.87,
    means: "the row it belongs to is not there",
    phrases: `foreign key constraint | foreign key violation | foreign key* | cannot add or update a child row
      | violates foreign key | foreign key constraint fails | no_referenced_row | is not present in table
      | parent key not found | integrity constraint + parent key | insert statement conflicted with the foreign key
      | update statement conflicted with the foreign key | invalid foreign key | referential integrity | referenced row
      | parent does not exist | parent not found | no parent`,
  },
  {
    id: "gone-other-languages",
    confidence: 0.82,
    means: "what it refers to was not found",
    phrases: `nicht gefunden | nicht vorhanden | existiert nicht | wurde nicht gefunden | introuvable | n existe pas
      | n existe plus | non trouve | pas trouve | no encontrad* | no existe | no se encontro | nao encontrad*
      | nao existe | non trovat* | non esiste | niet gevonden | bestaat niet | ikke fundet | hittades inte
      | nie znaleziono | nie istnieje | bulunamadi`,
  },
  {
    id: "not-found",
    confidence: 0.77,
    means: "what it refers to was not found",
    phrases: `does not exist | doesn t exist | do not exist | not exist | could not be found | couldn t find
      | could not find | cannot find | can t find | unable to find | unable to locate | not found | no such
      | was not found | were not found | no matching | missing reference | not registered | unregistered | is gone
      | not_found | no longer there | no row found | no rows found | no record found | no records found
      | no document found | no entry found | no entries found | none found | nothing found | nonexistent | non existent
      | non-existing | nonexisting | not existing | not available anymore | no longer available | no longer present
      | no longer valid reference | disappeared | vanished | unknown aggregate | aggregate + not found
      | aggregate not found | stream + not found | missing entity | missing record | missing parent | missing object
      | missing row | absent | could not load entity | failed to find | unable to retrieve`,
  },
];
