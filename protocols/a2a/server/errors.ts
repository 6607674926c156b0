/** The errors of A2A with their codes in JSON-RPC, and their HTTP status (A2A 1.0, section 5.4). */
export const A2A_ERRORS = {
  parse: { code: -32700, status: 400, reason: 'INVALID_PARAMS' },
  request: { code: -32600, status: 400, reason: 'INVALID_PARAMS' },
  method: { code: -32601, status: 404, reason: 'NOT_FOUND' },
  params: { code: -32602, status: 400, reason: 'INVALID_PARAMS' },
  noTask: { code: -32001, status: 404, reason: 'TASK_NOT_FOUND' },
  notCancelable: { code: -32002, status: 409, reason: 'TASK_NOT_CANCELABLE' },
  noPush: { code: -32003, status: 400, reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  unsupported: { code: -32004, status: 400, reason: 'UNSUPPORTED_OPERATION' },
  noExtendedCard: { code: -32007, status: 400, reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
  version: { code: -32009, status: 400, reason: 'VERSION_NOT_SUPPORTED' },
} as const;

export type A2aErrorName = keyof typeof A2A_ERRORS;

/** Why a request is not answered with what it asks for. */
export class A2aFault {
  readonly name: A2aErrorName;
  /** What is wrong and what to do, as a sentence. */
  readonly text: string;

  constructor(name: A2aErrorName, text: string) {
    this.name = name;
    this.text = text;
  }
}
