import { quote } from '../../core/text/quote.ts';
import { findSimilar } from '../../core/text/similar.ts';
import type { Span } from '../../core/text/span.ts';
import type { ConfigIssue } from './agent-config.ts';
import { isList, type JsonMember, type JsonNode } from './json-node.ts';

/** The members of an object, by their names. */
export type Members = ReadonlyMap<string, JsonMember>;

/** A value with its position, for messages about it. */
interface Found<Value> {
  readonly value: Value;
  readonly span: Span;
}

/** Finds members of objects by name and type, and reports those that are not as they should be. */
export class MemberReader {
  readonly issues: ConfigIssue[] = [];
  /** The agent that is being read. */
  agent: string | undefined;

  /** A member of the required type; undefined if it is missing, or has another type, which is reported. */
  find<Value extends JsonNode['value']>(
    members: Members,
    key: string,
    fits: (node: JsonNode) => node is JsonNode & { readonly value: Value },
    wanted: string,
  ): Found<Value> | undefined {
    const node = members.get(key)?.node;
    if (!node) return undefined;
    if (fits(node)) return { value: node.value, span: node.span };
    this.report(node.span, `'${key}' should be ${wanted}`);
    return undefined;
  }

  /** The elements of a list; none if it is missing, or no list, which is reported. */
  findList(members: Members, key: string): readonly JsonNode[] {
    return this.find(members, key, isList, 'a list')?.value ?? [];
  }

  /** One of a set of words; any other text is reported. */
  findOption<Word extends string>(members: Members, key: string, words: readonly Word[]): Word | undefined {
    const names = words.map(word => `'${word}'`).join(' or ');
    const found = this.find(members, key, isText, names);
    const word = words.find(each => each === found?.value);
    if (found && word === undefined)
      this.report(found.span, `'${key}' should be ${names}, not ${quote(found.value)}`);
    return word;
  }

  /** Reports unknown keys, which are mostly typing errors; they have no other effect. */
  checkKeys(members: Members, known: readonly string[], where: string): void {
    for (const [key, { keySpan }] of members) {
      if (known.includes(key)) continue;
      const similar = findSimilar(key, known);
      const advice = similar
        ? `did you mean '${similar}'?`
        : `known are ${known.map(each => `'${each}'`).join(', ')}`;
      this.report(keySpan, `${quote(key)} is not known in ${where}; ${advice}`);
    }
  }

  /** Reports a fault, with the agent that is being read. */
  report(span: Span, message: string): void {
    const { agent } = this;
    this.issues.push(
      agent === undefined ? { span, message } : { span, message: nameAgent(agent, message), agent },
    );
  }
}

/** Adds the name of the agent to a message, unless it begins with that. */
function nameAgent(agent: string, message: string): string {
  const name = `The agent ${quote(agent)}`;
  if (message.startsWith(`${name} `)) return message;
  return `${name}: ${message.replace(/^[A-Z]/, first => first.toLowerCase())}`;
}

/** True for an object. */
export function isObject(node: JsonNode): node is JsonNode & { readonly value: Members } {
  return node.value instanceof Map;
}

/** True for a text. */
export function isText(node: JsonNode): node is JsonNode & { readonly value: string } {
  return typeof node.value === 'string';
}

/** True for a number. */
export function isNumber(node: JsonNode): node is JsonNode & { readonly value: number } {
  return typeof node.value === 'number';
}

/** True for true or false. */
export function isBoolean(node: JsonNode): node is JsonNode & { readonly value: boolean } {
  return typeof node.value === 'boolean';
}
