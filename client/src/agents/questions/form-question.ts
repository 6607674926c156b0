import type { Uri } from 'vscode';
import { parseJson } from '../../../../core/text/json.ts';
import { quote } from '../../../../core/text/quote.ts';
import { isRecord } from '../../../../core/guard.ts';
import { FormPanel } from '../../forms/form-panel.ts';
import { readInputs } from '../../forms/read-inputs.ts';
import { listDefaults } from '../../forms/schema-fields.ts';
import { defer } from '../../base/deferred.ts';

/** A form that an agent asks the user to fill in. */
interface Question {
  readonly agent: string;
  readonly message: string;
  readonly schema: unknown;
}

type Plain = string | number | boolean;

type Answer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, Plain | readonly string[]>> }
  | { readonly action: 'decline' | 'cancel' };

/**
 * Shows an agent's form to the user (Model Context Protocol, "Elicitation"). Closing the form or the end of
 * the call cancels it.
 */
export function askInForm(extension: Uri, question: Question, signal: AbortSignal): Promise<Answer> {
  const { agent, message, schema } = question;
  const { promise, resolve } = defer<Answer>();
  if (signal.aborted) return Promise.resolve({ action: 'cancel' });
  const spec = {
    heading: `The agent ${quote(agent)} requests input`,
    message,
    schema,
    inputs: listDefaults(schema),
    submit: 'Answer',
    decline: 'Decline',
  };
  const panel = new FormPanel(extension, `Input for ${agent}`, spec, {
    check: inputs => {
      const filled = readInputs(schema, inputs);
      return { faults: filled.ok ? {} : filled.faults };
    },
    onSubmit: inputs => {
      resolve({ action: 'accept', content: readContent(readInputs(schema, inputs).json) });
      panel.dispose();
    },
    onDecline: () => {
      resolve({ action: 'decline' });
      panel.dispose();
    },
    onClose: () => resolve({ action: 'cancel' }),
  });
  const end = (): void => panel.dispose();
  signal.addEventListener('abort', end, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', end));
}

/** The content of an answer. Forms of MCP contain only plain values and lists of strings. */
function readContent(json: string): Readonly<Record<string, Plain | readonly string[]>> {
  const value = parseJson(json);
  const content: Record<string, Plain | readonly string[]> = {};
  for (const [name, member] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean')
      content[name] = member;
    else content[name] = Array.isArray(member) ? member.map(String) : JSON.stringify(member);
  }
  return content;
}
