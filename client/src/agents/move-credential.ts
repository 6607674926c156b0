import { addHeader } from '../../../agents/config/edit-agents-file.ts';
import { describeError } from '../base/log.ts';
import type { FoundAgent } from './agent-files.ts';
import type { Secrets } from './secrets.ts';
import { editAgentsFile } from './write-agent.ts';

/** Schemes with which a credential may begin. Without a scheme it is sent as a bearer token. */
const SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)\s+/i;

/** A credential as written, and the name of the secret in which to store it. */
export interface Credential {
  readonly name: string;
  readonly value: string;
}

/**
 * Stores a credential as a secret for an agent, and references it in the header `Authorization` of its entry in the
 * agents file (reading of AICF-RPC 1.0, section 2.2). Returns an error sentence if that fails; where the file cannot be
 * edited, nothing is stored.
 */
export async function moveCredential(
  secrets: Secrets,
  { config, file }: FoundAgent,
  receiver: string,
  { name, value }: Credential,
): Promise<string | undefined> {
  const [scheme = 'Bearer '] = SCHEME.exec(value.trim()) ?? [];
  const header = `${scheme.trim()} \${secret:${name}}`;
  const problem = await editAgentsFile(file, text => addHeader(text, config.name, 'Authorization', header));
  if (problem !== undefined) return problem;
  try {
    await secrets.keep(name, value.trim().replace(SCHEME, ''), receiver);
    return undefined;
  } catch (error) {
    return `The credential could not be stored as a secret: ${describeError(error)}.`;
  }
}
