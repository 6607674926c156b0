import { SourceText } from '../../core/text/source-text.ts';
import { describeDirectiveName } from '../directive-help.ts';
import { bindLanguage, type LanguageSupport } from '../support.ts';
import { complete } from './features/completion.ts';
import { hover } from './features/hover.ts';
import { links } from './features/links.ts';
import { definitions, findName, nameAt, writeName } from './features/names.ts';
import { exchanges, folds, landmarks, selectionPath, symbols } from './features/outline.ts';
import { tokens } from './features/tokens.ts';
import { formatAgentJson } from './format.ts';
import { parseAgentJson } from './parse.ts';
import { messages, requests } from './requests.ts';
import { NO_SCHEMAS, type SchemasByProtocol } from './schemas.ts';
import { validateAgentJson } from './validate.ts';

/** Requests in the JSON of agents' protocols. Only with schemas it checks and completes what requests hold. */
export function agentJson(schemas: SchemasByProtocol = NO_SCHEMAS): LanguageSupport {
  return bindLanguage('agent-json', {
    parse: (text, settings) => parseAgentJson(text, settings, schemas),
    edit: (doc, edit) => ({
      ...parseAgentJson(String(doc.text.edit(edit)), doc.settings, schemas),
      others: doc.others,
    }),
    plainText: ({ json }) => SourceText.of(json),
    withTools: (doc, others) => ({ ...doc, others }),
    validate: validateAgentJson,
    hover,
    complete,
    describe: (_doc, topic) =>
      topic.startsWith('directive ') ? describeDirectiveName(topic.slice('directive '.length)) : undefined,
    symbols,
    folds,
    tokens,
    hints: () => [],
    links,
    formatRange: formatAgentJson,
    formatTyped: () => [],
    messages,
    requests,
    definitions,
    nameAt,
    findName,
    writeName,
    landmarks,
    exchanges,
    selectionPath,
  });
}
