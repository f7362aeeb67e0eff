import type { Category } from "../../domain/classification.ts";
import type { Finding } from "../finding.ts";
import { quote } from "../sentences.ts";
import type { Reading } from "./reading.ts";

interface ForeignPhrases {
  readonly category: Category;
  readonly weight: number;
  readonly rule: string;
  readonly means: string;
  readonly phrases: string;
}

/** Words of languages that are not written in Latin letters, which the lexicon cannot hold. */
const foreign: readonly ForeignPhrases[] = [
  {
    category: "lost_context",
    weight: 0.82,
    rule: "message/gone",
    means: "it says that something was not found",
    phrases:
      "찾을 수 없|존재하지 않|삭제된|不存在|未找到|找不到|没有找到|查無|已删除|已被删除|見つかりません|存在しません|見つからない|削除され|не найден|не существует|удален|не знайдено|غير موجود|לא נמצא",
  },
  {
    category: "business_rule",
    weight: 0.84,
    rule: "message/rule",
    means: "it says that a rule or the state of things forbids it",
    phrases:
      "이미 |없습니다|부족|초과|할 수 없습니다|불가|만료|취소된|已存在|重复|重複|已经|不足|余额|不能|不允许|已过期|已取消|超过|すでに|既に|不足し|できません|期限切れ|重複し|уже |недостаточно|нельзя|запрещено|истек",
  },
  {
    category: "transient",
    weight: 0.84,
    rule: "message/unavailable",
    means: "it says that no answer came in time or the service was not there",
    phrases:
      "시간이 초과|시간 초과|타임아웃|연결할 수 없|잠시 후|超时|逾时|连接失败|连接被拒绝|连接超时|稍后再试|稍后重试|繁忙|限流|タイムアウト|接続できません|接続に失敗|混雑|таймаут|время ожидания|превышено время|соединение",
  },
  {
    category: "schema_mismatch",
    weight: 0.82,
    rule: "message/wrong-type",
    means: "it says that a value has the wrong form",
    phrases:
      "형식이|유효하지 않|올바르지|파싱|역직렬화|格式错误|格式不正确|格式不|解析失败|无效的|反序列化|不合法|参数错误|不能为空|必填|形式が|不正な|無効な|解析でき|必須|неверный формат|некоррект|недопустим",
  },
  {
    category: "unknown",
    weight: 0.84,
    rule: "message/rights",
    means: "it speaks of rights or credentials",
    phrases: "권한|인증|没有权限|无权|权限不足|未授权|认证失败|登录失败|権限|認証|доступ запрещен|нет прав|авторизац",
  },
  {
    category: "poison",
    weight: 0.86,
    rule: "message/null-dereference",
    means: "the code used something that was not there",
    phrases: "未将对象引用|空指针|索引超出|オブジェクト参照が|インデックスが|개체 참조|인덱스가 범위|ссылка на объект",
  },
];

const table = foreign.flatMap(({ phrases, ...rest }) => phrases.split("|").map((phrase) => ({ ...rest, phrase })));

/** Looks for words in other scripts, and costs nothing where there are none. */
export function otherLanguages({ evidence }: Reading): Finding[] {
  const text = evidence.message ?? "";
  if (!/[\u0400-\u06ff\u3040-\u9fff\uac00-\ud7af]/.test(text)) return [];
  const said: typeof table = [];
  let rest = text;
  for (const entry of table)
    if (rest.includes(entry.phrase)) {
      said.push(entry);
      // "cannot be found" also holds "cannot": what was understood is not read a second time.
      rest = rest.replaceAll(entry.phrase, " ");
    }
  return said.map(({ category, weight, rule, means, phrase }) => {
    // A word of two signs may be part of another one.
    const sure = weight * (phrase.length < 3 ? 0.95 : 1);
    return {
      source: "message",
      category,
      weight: sure,
      rule,
      why: () => `In "${quote(text, 40)}", ${means}.`,
      effect: "none",
    };
  });
}
