import type { CancellationToken } from 'vscode';
import type { ProtocolRequestType } from 'vscode-languageclient';
import type { WireRequest } from '../../../wire/request.ts';

/** A request of our own, or of the Language Server Protocol. */
export type ServerRequest<Params, Result> =
  | WireRequest<Params, Result>
  | Pick<ProtocolRequestType<Params, Result, unknown, unknown, unknown>, 'method' | '_'>;

/** Who answers the requests of the language server. */
export interface Asker {
  /**
   * Sends a request, also again if its text was changed meanwhile. The server knows only open documents.
   * Rejects with a `CancellationError` if it is cancelled.
   */
  ask<Params, Result>(
    request: ServerRequest<Params, Result>,
    params: Params,
    token?: CancellationToken,
  ): Promise<Result>;
}

/** An asker whose requests are cancelled by a token. */
export function stoppedBy(asker: Asker, token: CancellationToken): Asker {
  return { ask: (request, params) => asker.ask(request, params, token) };
}
