import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';

/** A tool that an agent wants to run, for which it asks for approval. */
export interface ApprovalRequest {
  readonly id: string;
  readonly tool: string;
  /** The arguments as JSON, as the agent wrote them. */
  readonly arguments: string;
}

export interface ApprovalAnswer {
  readonly id: string;
  readonly answer: 'approve' | 'refuse';
}

/** How a protocol asks for approval and receives the answer. */
export interface ApprovalDialect {
  /** The request in an item of a response; undefined for any other item. */
  find(item: Value): ApprovalRequest | undefined;
  /** The item that answers a request for approval. */
  answer(answer: ApprovalAnswer): DictValue;
  /** The member of a request that names the response that it continues. */
  readonly goesOnFrom: string;
}

const TYPE = 'mcp_approval_request';
const RESPONSE_TYPE = textValue('mcp_approval_response');

/** OpenAI's Responses: an item in the output, answered by an item in the next input. */
export const RESPONSES_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'previous_response_id',
  find: item => (textIn(findEntry(item, 'type')) === TYPE ? readRequest(item, item) : undefined),
  answer: ({ id, answer }) =>
    dictValue([
      { key: 'type', value: RESPONSE_TYPE },
      { key: 'approval_request_id', value: textValue(id) },
      { key: 'approve', value: boolValue(answer === 'approve') },
    ]),
};

/** The Agent API: a message whose content has the data that OpenAI has in the item itself. */
export const AGENT_API_APPROVALS: ApprovalDialect = {
  goesOnFrom: 'response_id',
  find(item) {
    if (textIn(findEntry(item, 'type')) !== TYPE) return undefined;
    const content = findEntry(item, 'content');
    const part = content?.kind === 'list' ? content.items.find(each => findEntry(each, 'data')) : undefined;
    return readRequest(findEntry(part, 'data') ?? item, item);
  },
  answer({ id, answer }) {
    const data = dictValue([
      { key: 'approval_request_id', value: textValue(id) },
      { key: 'approve', value: boolValue(answer === 'approve') },
    ]);
    const content = dictValue([
      { key: 'type', value: textValue('data') },
      { key: 'data', value: data },
    ]);
    return dictValue([
      { key: 'type', value: RESPONSE_TYPE },
      { key: 'role', value: textValue('user') },
      { key: 'content', value: listValue([content]) },
    ]);
  },
};

function readRequest(data: Value, item: Value): ApprovalRequest {
  const given = findEntry(data, 'arguments');
  return {
    id: textIn(findEntry(data, 'id')) ?? textIn(findEntry(item, 'id')) ?? '',
    tool: textIn(findEntry(data, 'name')) ?? '',
    arguments: textIn(given) ?? (given ? compactJson(given) : '{}'),
  };
}

/** The requests for approval in a response. */
export function findApprovals(
  response: Value | undefined,
  dialect: ApprovalDialect,
): readonly ApprovalRequest[] {
  const output = findEntry(response, 'output');
  return (output?.kind === 'list' ? output.items : []).flatMap(item => dialect.find(item) ?? []);
}

/**
 * The request with the answers: the previous one with the answers as its input; undefined if that is not a
 * JSON object.
 */
export function writeAnswers(
  request: string,
  response: Value | undefined,
  answers: readonly ApprovalAnswer[],
  dialect: ApprovalDialect,
): string | undefined {
  const value = readWrittenJson(request);
  if (value?.kind !== 'dict') return undefined;
  const stored = value.entries.filter(({ key }) => key !== 'input' && key !== dialect.goesOnFrom);
  return compactJson(
    dictValue([
      ...stored,
      { key: dialect.goesOnFrom, value: findEntry(response, 'id') },
      { key: 'input', value: listValue(answers.map(answer => dialect.answer(answer))) },
    ]),
    'written',
  );
}
