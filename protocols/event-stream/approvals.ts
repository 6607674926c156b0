import { findEntry, listValue, textIn, type Value } from '../../core/values/value.ts';
import { compactJson } from '../../language/values/json-printer.ts';

/** A tool that an agent wants to run, for which it asks for approval. */
export interface ApprovalRequest {
  readonly id: string;
  readonly tool: string;
  /** The arguments as JSON, as the agent wrote them. */
  readonly arguments: string;
}

/** True for the message or the item of a response that asks for approval. */
export function isApprovalRequest(item: Value | undefined): boolean {
  return textIn(findEntry(item, 'type')) === 'mcp_approval_request';
}

/** The items that ask for approval, of an output. */
export function pickApprovalRequests(output: Value): Value {
  return output.kind === 'list' ? listValue(output.items.filter(isApprovalRequest)) : output;
}

/** The requests for approval in a response. */
export function findApprovals(response: Value | undefined): readonly ApprovalRequest[] {
  const output = findEntry(response, 'output');
  return (output?.kind === 'list' ? output.items : []).filter(isApprovalRequest).map(readApproval);
}

/** Responses has the members in the item itself, the Agent API in the data of a content. */
function readApproval(item: Value): ApprovalRequest {
  const content = findEntry(item, 'content');
  const part = content?.kind === 'list' ? content.items.find(each => findEntry(each, 'data')) : undefined;
  const data = findEntry(part, 'data') ?? item;
  const given = findEntry(data, 'arguments');
  return {
    id: textIn(findEntry(data, 'id')) ?? textIn(findEntry(item, 'id')) ?? '',
    tool: textIn(findEntry(data, 'name')) ?? '',
    arguments: textIn(given) ?? (given ? compactJson(given, 'written') : '{}'),
  };
}
