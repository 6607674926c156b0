import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import { medianOf, type Benchmark } from './benchmark.ts';
import { makeSession } from './support/session.ts';

const RUNS = 9;
const { aicl, json, messages } = makeSession(8_000_000);

/** Parses and validates a long session, compared with VS Code's JSON service on the same data as JSON. */
export const benchmark: Benchmark = {
  title: `Parse and validate a session of ${messages.toLocaleString('en')} small messages`,
  limit: 1,
  async measure() {
    const service = getLanguageService({});
    const validateAicl = (): void => {
      const issues = LANGUAGE_SUPPORT.aicl.open(aicl, DEFAULT_SETTINGS).validate();
      if (issues.length > 0) throw new Error(`the session has issues: ${issues[0]?.message ?? ''}`);
    };
    const validateJson = async (): Promise<void> => {
      const document = TextDocument.create('file:///session.json', 'json', 1, json);
      const issues = await service.doValidation(document, service.parseJSONDocument(document));
      if (issues.length > 0) throw new Error(`the peer finds ${issues.length} issues`);
    };
    const size = (text: string): string => `${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB`;
    return [
      {
        name: 'Parley, AICL',
        kind: 'ours',
        medianMs: await medianOf(RUNS, validateAicl),
        runs: RUNS,
        note: size(aicl),
      },
      {
        name: 'vscode-json-languageservice, JSON',
        kind: 'peer',
        medianMs: await medianOf(RUNS, validateJson),
        runs: RUNS,
        note: size(json),
      },
      {
        name: 'JSON.parse',
        kind: 'floor',
        medianMs: await medianOf(RUNS, () => void JSON.parse(json)),
        runs: RUNS,
        note: size(json),
      },
    ];
  },
};
