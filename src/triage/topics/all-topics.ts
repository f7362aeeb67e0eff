import type { Category } from "../../domain/classification.ts";
import { businessTopics } from "./business-rule.ts";
import { lostTopics } from "./lost-context.ts";
import { poisonTopics } from "./poison.ts";
import { schemaTopics } from "./schema-mismatch.ts";
import type { Topic } from "./topic.ts";
import { transientTopics } from "./transient.ts";
import { unknownTopics } from "./unknown.ts";

export interface CategorisedTopic extends Topic {
  readonly category: Category;
}

export const allTopics: readonly CategorisedTopic[] = [
  ...of("transient", transientTopics),
  ...of("schema_mismatch", schemaTopics),
  ...of("business_rule", businessTopics),
  ...of("poison", poisonTopics),
  ...of("lost_context", lostTopics),
  ...of("unknown", unknownTopics),
];

function of(category: Category, topics: readonly Topic[]): CategorisedTopic[] {
  return topics.map((topic) => ({ ...topic, category }));
}
