import type { MemberPath } from '../../core/catalog/protocols.ts';
import { hasMember, insertMember } from './insert-member.ts';
import { isRecord } from '../../core/guard.ts';
import { parseJson, splitObjectList } from '../../core/text/json.ts';
import { readFields } from '../../core/text/fields.ts';
import { firstOf, joinWords } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import type { Carried, Protocol } from '../../protocols/protocol.ts';
import type { Connection, Outgoing, Reply, Sender, WireListener } from '../connection.ts';
import { notSent } from '../warnings.ts';
import { Conversations } from './conversations.ts';
import type { AskOptions } from './converting-connection.ts';

/**
 * Sends requests in the JSON of the agent's protocol as they are written. What their envelope lacks is filled in, and a
 * request with `// @session` gets the names of the conversation that it continues.
 */
export function askInOwnJson(connection: Connection, options: Omit<AskOptions, 'language'>): Sender {
  const { warningPolicy, conversations = new Conversations() } = options;
  const { protocol } = connection;
  return {
    async send(request: Outgoing, listener: WireListener, signal): Promise<Reply> {
      const refusal = refuse(request, protocol);
      if (refusal !== undefined) return notSent(refusal);
      const enveloped = fillEnvelope(request.wireText, protocol, listener);
      const wireText = continueIn(conversations, { ...request, wireText: enveloped }, protocol, listener);
      const reply = await connection.send({ warningPolicy, ...request, wireText }, listener, signal);
      conversations.keep(request, protocol, undefined, reply);
      return reply;
    },
  };
}

/** Why a request is not one of the agent's protocol; undefined if it may be. */
function refuse({ wireText }: Outgoing, { facts }: Protocol): string | undefined {
  const { requests, short } = facts;
  if (!requests)
    return `the agent speaks ${short}, and the request is JSON; write it in ${short}, or send it to another agent`;
  const value = parseJson(wireText);
  if (!Array.isArray(value)) return refuseRequest(value, facts);
  if (!requests.hasBatches)
    return `${short} has no batches; remove '// @batch', and the requests are sent one after the other`;
  if (value.length === 0) return 'a batch has at least one request, and this one is empty';
  return value.map(each => refuseRequest(each, facts)).find(reason => reason !== undefined);
}

function refuseRequest(value: unknown, { requests, short }: Protocol['facts']): string | undefined {
  if (!isRecord(value)) return `a request of ${short} is one JSON object`;
  const { method } = value;
  if (requests?.isRpc && typeof method !== 'string')
    return `a request of ${short} is JSON-RPC, as in {"method":"…","params":{…}}; this one has no 'method'`;
  if (!requests?.isRpc && typeof method === 'string' && !('input' in value))
    return `the agent speaks ${short}, and ${quote(method)} is a method of JSON-RPC; send it to an agent of another protocol`;
  return undefined;
}

/** Adds the members of JSON-RPC that are missing, with a note. */
function fillEnvelope(text: string, { facts }: Protocol, listener: WireListener): string {
  const { requests } = facts;
  if (!requests?.isRpc) return text;
  const batch = splitObjectList(text);
  const messages = batch ?? [text];
  const ids = listFreeIds(messages);
  const added: string[] = [];
  const filled = messages.map(each => {
    const needsId = !requests.ownsIds && !isNotification(each) && !hasMember(each, ['id']);
    const id = needsId ? String(ids.next().value) : undefined;
    const numbered = id === undefined ? undefined : insertMember(each, ['id'], id);
    const versioned = insertMember(numbered ?? each, ['jsonrpc'], '"2.0"');
    if (versioned !== undefined) added.push('"jsonrpc":"2.0"');
    if (numbered !== undefined) added.push(`"id":${id}`);
    return versioned ?? numbered ?? each;
  });
  if (requests.ownsIds && hasMember(text, ['id']))
    listener.note(
      `The 'id' of the request is replaced: on ${facts.short} the connection numbers its requests`,
    );
  if (added.length > 0) listener.note(`Added to the request: ${firstOf([...new Set(added)])}`);
  return batch ? `[${filled.join(',')}]` : filled.join('');
}

/** Whole numbers from 1 that are no id of these requests, in order. */
function* listFreeIds(requests: readonly string[]): Generator<number, never> {
  const taken = new Set(requests.map(text => readFields(parseJson(text))?.get('id')));
  for (let id = 1; ; id++) if (!taken.has(id)) yield id;
}

/** True for a message without an answer. */
function isNotification(text: string): boolean {
  return /^notifications\//.test(methodOf(text));
}

function methodOf(text: string): string {
  const value = parseJson(text);
  return isRecord(value) && typeof value['method'] === 'string' ? value['method'] : '';
}

/** The request with the names of its conversation. Names that it has itself are not replaced. */
function continueIn(
  conversations: Conversations,
  request: Outgoing,
  protocol: Protocol,
  listener: WireListener,
): string {
  const { wireText } = request;
  if (request.session === undefined) return wireText;
  const { carried, note } = conversations.find(request, protocol, undefined);
  if (note !== undefined) listener.note(note);
  const paths = listCarried(protocol);
  const own = paths.filter(([, path]) => hasMember(wireText, path));
  if (own.length > 0) {
    const names = own.map(([, path]) => quote(path.at(-1) ?? ''));
    listener.note(`The request itself has ${joinWords(names, 'and')}, which '// @session' does not replace`);
    return wireText;
  }
  return paths.reduce((text, [name, path]) => {
    const value = carried[name];
    return value === undefined ? text : (insertMember(text, path, JSON.stringify(value)) ?? text);
  }, wireText);
}

/** Where requests of a protocol name a conversation. */
function listCarried({ facts }: Protocol): readonly (readonly [keyof Carried, MemberPath])[] {
  const { session, task, response } = facts.requests?.carries ?? {};
  return [
    ...(session ? [['session', session] as const] : []),
    ...(task ? [['task', task] as const] : []),
    ...(response ? [['response', response] as const] : []),
  ];
}
