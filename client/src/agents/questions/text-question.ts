import { CancellationTokenSource, commands, window, workspace } from 'vscode';
import type { SamplingQuestion } from '../../../../core/message/message.ts';
import { quote } from '../../../../core/text/quote.ts';
import { askInNotification } from '../../window/messages.ts';
import { askText } from '../../window/sinks/quick-input.ts';
import { askInTime } from './in-time.ts';
import type { QuestionDocuments } from './question-documents.ts';

const ANSWER = 'Answer…';
const IN_FILE = 'Answer in a file…';
const SEND = 'Send answer';
const DECLINE = 'Decline';

/**
 * Asks the user to write the text that an agent requests from a model. The complete prompt is shown in a
 * document; a short answer is typed into an input box, a long one into a file. Returns undefined if the user
 * declines or the call has ended.
 */
export async function askForText(
  question: SamplingQuestion,
  reported: QuestionDocuments,
  signal: AbortSignal,
): Promise<string | undefined> {
  const uri = reported.add(`${question.agent} sampling request`, describe(question));
  try {
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true, preserveFocus: true });
    const words = `The agent ${quote(question.agent)} requests sampling: the answer of a model.`;
    const chosen = await askInTime(askInNotification(words, ANSWER, IN_FILE, DECLINE), signal);
    if (chosen === ANSWER) return await askInBox(question, signal);
    return chosen === IN_FILE ? await askInFile(question, signal) : undefined;
  } finally {
    await reported.close(uri);
  }
}

function describe({ agent, systemPrompt, messages, maxTokens }: SamplingQuestion): string {
  return [
    `# Sampling request of ${agent}`,
    ...(systemPrompt === undefined ? [] : ['## System', systemPrompt]),
    ...messages.flatMap(({ role, text }) => [`## ${role}`, text]),
    ...(maxTokens === undefined ? [] : [`Limit of the answer: ${maxTokens} tokens.`]),
    '',
  ].join('\n\n');
}

async function askInBox(
  { agent, messages }: SamplingQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ended = new CancellationTokenSource();
  const end = (): void => ended.cancel();
  signal.addEventListener('abort', end);
  const options = {
    title: `Answer to ${agent}`,
    prompt: messages.at(-1)?.text.slice(0, LONGEST_PROMPT) ?? '',
    placeHolder: 'The answer of the model',
    ignoreFocusOut: true,
  };
  try {
    return await askInTime(askText(options, ended.token), signal);
  } finally {
    signal.removeEventListener('abort', end);
    ended.dispose();
  }
}

const LONGEST_PROMPT = 200;

async function askInFile({ agent }: SamplingQuestion, signal: AbortSignal): Promise<string | undefined> {
  const document = await workspace.openTextDocument({ language: 'markdown', content: '' });
  await window.showTextDocument(document, { preview: false });
  const words = `Write the answer to ${agent} into the open file, then send it.`;
  const chosen = await askInTime(askInNotification(words, SEND, DECLINE), signal);
  if (chosen !== SEND) return undefined;
  const text = document.getText();
  await window.showTextDocument(document);
  await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  return text;
}
