import { AGENT_CARD } from '../recognise/request.ts';
import { replaceAt } from '../message/replace.ts';
import { dictValue, findEntry, intValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { findHeader } from '../../core/events/headers.ts';
import { message as neutralMessage } from '../../core/message/message.ts';
import { putText } from '../message/put-text.ts';
import type { Carried, HttpReply, Protocol, RefusedRequest } from '../protocol.ts';
import type { ObservedRequest } from '../request-recognition.ts';
import { pathOf } from '../recognise/head.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { kindOfRpc } from '../rpc/kind.ts';
import { findLastMethod } from '../rpc/pick.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { JSON_TYPE } from '../serving/http-replies.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { CARD_REQUEST, CardReader, isCardPath } from './card.ts';
import { A2A_RESULTS, isEndState } from './results.ts';
import { A2aParts } from './reply-parts.ts';
import { findRestCall, frameRestReply, frameRestRequest, versionOfRest, type RestCall } from './rest.ts';
import { findPushSecrets } from './secrets.ts';
import { A2A_DISCOVERY } from './discovery.ts';
import { A2A_MESSAGES } from './messages.ts';
import { A2A_PARAMETERS } from './parameters.ts';
import { findTaskNames } from './tasks.ts';
import { readTaskUpdate } from './update.ts';

/** The media type of JSON in version 1.0. */
const A2A_JSON = 'application/a2a+json';

const SUBJECTS = new Map([
  ['tasks/get', ['id', 'taskId']],
  ['tasks/cancel', ['id', 'taskId']],
  ['tasks/resubscribe', ['id']],
  ['GetTask', ['id']],
  ['CancelTask', ['id']],
  ['SubscribeToTask', ['id']],
]);

/** Agent2Agent, versions 0.3 and 1.0, over JSON-RPC and over HTTP+JSON. */
export const A2A: Protocol = {
  ...A2A_MESSAGES,
  discovery: A2A_DISCOVERY,
  requests: {
    frame(request, readBody) {
      const call = findRest(request);
      return call && frameRestRequest(call, readBody());
    },
    mayEndInSecrets: true,
    echoesId: true,
    isCard: path => isCardPath(pathOf(path)),
    byHead: ({ path = '' }) => (isCardPath(pathOf(path)) ? { title: AGENT_CARD } : undefined),
    readUpdate: readTaskUpdate,
    title: value => titleOfRpc(value, SUBJECTS, new Set()),
    kind: kindOfRpc,
    session: (_headers, value) => findContext(value),
    names: findTaskNames,
    findSecrets: findPushSecrets,
  },
  replies: {
    frame: value => frameRestReply(value),
    openParts: earlier => new JsonParts(new A2aParts(earlier)),
    // A task that failed was found, and one that was canceled is what its caller wanted.
    onlyReports: title => /^(?:tasks\/(?:get|cancel)|GetTask|CancelTask)\b/.test(title),
  },
  // Its agents take free text; their tools are internal.
  calls: {
    answers: ['task', 'call', 'query'],
    parameters: A2A_PARAMETERS['1.0'],
    publishes: { kinds: ['list', 'describe'], request: CARD_REQUEST, open: report => new CardReader(report) },
    keepsNumbers: true,
  },
  refuse,
  conversations: {
    carryOn(request, { session, task }) {
      const { fields } = request;
      return neutralMessage(
        request.kind,
        { ...fields, session: session === undefined ? fields.session : textValue(session) },
        task === undefined ? fields.rest : putText(fields.rest, ['a2a', 'message', 'taskId'], task),
      );
    },
    readCarried: readTask,
  },
  replay: {
    // A task is polled until it ends.
    pick: texts =>
      findLastMethod(texts, method => /^(?:Send|message\/)/.test(method)) ??
      (texts.length > 0 ? texts.length - 1 : undefined),
    // Agents treat a second message with the same id as a repeat of the first.
    renew: (request, newId) =>
      replaceAt(addId(request), ['params', 'message', 'messageId'], textValue(newId())),
    answersInResult: true,
  },
};

/** Requests over HTTP+JSON have no id, and JSON-RPC does not answer a request without one. */
function addId(request: Value): Value {
  if (request.kind !== 'dict' || findEntry(request, 'id')) return request;
  return dictValue([...request.entries, { key: 'id', value: intValue(1) }]);
}

/**
 * The operation of an HTTP+JSON request; a path that other protocols may share counts only with another sign
 * of A2A.
 */
function findRest({ method, path, headers, known }: ObservedRequest): RestCall | undefined {
  if (method === undefined || path === undefined) return undefined;
  const only = pathOf(path);
  const found = findRestCall(method, only, versionOfRest(only, headers));
  const isNamed = findHeader(headers, 'a2a-version') !== undefined;
  if (!found || found.isCertain || known === 'a2a' || isNamed) return found;
  const types = [findHeader(headers, 'accept'), findHeader(headers, 'content-type')];
  return types.some(type => type?.includes(A2A_JSON)) ? found : undefined;
}

/** The `contextId` of the message, task or update in a request or reply. */
function findContext(value: Value | undefined): string | undefined {
  const [params, result] = [findEntry(value, 'params'), findEntry(value, 'result')];
  const holders = [params, result].flatMap(part => [
    part,
    ...A2A_RESULTS.map(({ name }) => findEntry(part, name)),
  ]);
  for (const holder of holders) {
    const context = textIn(findEntry(holder, 'contextId'));
    if (context) return context;
  }
  return undefined;
}

/** Writes a JSON-RPC error; for HTTP+JSON, an HTTP error status with an error object. */
function refuse(request: RefusedRequest, code: number | undefined, why: string): HttpReply {
  if (/"(?:jsonrpc|method)"/.test(request.text)) return refuseRpc(request, code, why);
  return {
    line: '508 Loop Detected',
    contentType: JSON_TYPE,
    body: JSON.stringify({ error: { code: 508, status: 'ABORTED', message: why } }),
  };
}

/** The context and the task of a message; a task that has ended takes no more messages. */
function readTask(value: Value, before: Carried): Carried {
  const result = findEntry(value, 'result');
  const body =
    A2A_RESULTS.map(({ name }) => findEntry(result, name)).find(each => each?.kind === 'dict') ?? result;
  const status = findEntry(body, 'status');
  const state = textIn(findEntry(status, 'state'));
  const named = textIn(findEntry(body, 'taskId') ?? (status && findEntry(body, 'id')));
  // A message without a state changes nothing about a task that is known, or known to have ended.
  const isKnown = state === undefined && 'task' in before;
  const isEnded = state !== undefined && isEndState(state);
  return {
    session: textIn(findEntry(body, 'contextId')) || before.session,
    task: isEnded ? undefined : isKnown ? before.task : (named ?? before.task),
  };
}
