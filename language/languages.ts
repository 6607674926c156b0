import { complete as completeAicf } from './aicf/features/completion.ts';
import { definitions as definitionsAicf } from './aicf/features/definitions.ts';
import { dialect as dialectAicf } from './aicf/features/dialect.ts';
import { rewrites as rewritesAicf } from './aicf/features/json-rewrites.ts';
import { signature as signatureAicf } from './aicf/features/signature.ts';
import { describe as describeAicf } from './aicf/features/topics.ts';
import { folds as foldsAicf } from './aicf/features/folds.ts';
import { hints as hintsAicf } from './aicf/features/hints.ts';
import { hover as hoverAicf } from './aicf/features/hover.ts';
import { links as linksAicf } from './aicf/features/links.ts';
import { messages as messagesAicf } from './aicf/features/messages.ts';
import { requests as requestsAicf } from './aicf/features/requests.ts';
import { exchanges as exchangesAicf } from './aicf/features/exchanges.ts';
import { landmarks as landmarksAicf } from './aicf/features/landmarks.ts';
import {
  findName as findNameAicf,
  nameAt as nameAtAicf,
  writeName as writeNameAicf,
} from './aicf/features/names.ts';
import { selectionPath as selectionPathAicf } from './aicf/features/selection.ts';
import { symbols as symbolsAicf } from './aicf/features/symbols.ts';
import { tools as toolsAicf } from './aicf/features/tools.ts';
import { tokens as tokensAicf } from './aicf/features/tokens.ts';
import { listAgentTools } from './aicf/file-tools.ts';
import { formatAicf } from './aicf/format.ts';
import { formatTypedAicf } from './aicf/format-typed.ts';
import { editAicf, parseAicf } from './aicf/parse.ts';
import { complete as completeAicl } from './aicl/features/completion.ts';
import { definitions as definitionsAicl } from './aicl/features/definitions.ts';
import { describe as describeAicl } from './aicl/features/tool-topics.ts';
import { folds as foldsAicl } from './aicl/features/folds.ts';
import { hints as hintsAicl } from './aicl/features/hints.ts';
import { textAt } from './aicl/features/text-at.ts';
import { hover as hoverAicl } from './aicl/features/hover.ts';
import { links as linksAicl } from './aicl/features/links.ts';
import { messages as messagesAicl } from './aicl/features/messages.ts';
import { requests as requestsAicl } from './aicl/features/requests.ts';
import { exchanges as exchangesAicl } from './aicl/features/exchanges.ts';
import { landmarks as landmarksAicl } from './aicl/features/landmarks.ts';
import {
  findName as findNameAicl,
  nameAt as nameAtAicl,
  writeName as writeNameAicl,
} from './aicl/features/names.ts';
import { selectionPath as selectionPathAicl } from './aicl/features/selection.ts';
import { symbols as symbolsAicl } from './aicl/features/symbols.ts';
import { tensors as tensorsAicl } from './aicl/features/tensors.ts';
import { tokens as tokensAicl } from './aicl/features/tokens.ts';
import { rewrites as rewritesAicl } from './aicl/features/rewrites.ts';
import { formatAicl } from './aicl/format.ts';
import { formatTypedAicl } from './aicl/format-typed.ts';
import { editAicl, parseAicl, parseAiclOnce } from './aicl/parse.ts';
import { agentJson } from './agent-json/support.ts';
import { LANGUAGES, type LanguageId } from '../core/catalog/languages.ts';
import { firstFolds } from './feature-results.ts';
import { bindLanguage, type LanguageSupport } from './support.ts';
import { validateAicf } from './rules/aicf/validate.ts';
import { checkAiclUnit, validateAicl } from './rules/aicl/unit.ts';

/** The languages, each bound from its parts. The server, the command line and the tests use this. */
export const LANGUAGE_SUPPORT: Readonly<Record<LanguageId, LanguageSupport>> = {
  aicl: bindLanguage('aicl', {
    parse: (text, settings) => parseAicl(text, settings, checkAiclUnit),
    parseOnce: (text, settings) => parseAiclOnce(text, settings, checkAiclUnit),
    edit: (doc, edit) => editAicl(doc, edit, checkAiclUnit),
    validate: validateAicl,
    hover: hoverAicl,
    complete: completeAicl,
    withTools: (doc, others) => ({ ...doc, others }),
    describe: describeAicl,
    symbols: symbolsAicl,
    folds: foldsAicl,
    tokens: tokensAicl,
    hints: hintsAicl,
    links: linksAicl,
    formatRange: formatAicl,
    formatTyped: formatTypedAicl,
    textAt,
    rewrites: rewritesAicl,
    tensors: tensorsAicl,
    messages: messagesAicl,
    requests: requestsAicl,
    definitions: definitionsAicl,
    nameAt: nameAtAicl,
    findName: findNameAicl,
    writeName: writeNameAicl,
    landmarks: landmarksAicl,
    exchanges: exchangesAicl,
    selectionPath: selectionPathAicl,
  }),
  aicf: bindLanguage('aicf', {
    parse: (text, settings) => parseAicf(text, settings),
    edit: editAicf,
    dialect: dialectAicf,
    agentTools: listAgentTools,
    withTools: (doc, others) => ({ ...doc, others }),
    validate: validateAicf,
    hover: hoverAicf,
    complete: completeAicf,
    describe: describeAicf,
    signature: signatureAicf,
    symbols: symbolsAicf,
    folds: (doc, most) => firstFolds(foldsAicf(doc), most),
    tokens: tokensAicf,
    hints: hintsAicf,
    links: linksAicf,
    formatRange: formatAicf,
    formatTyped: formatTypedAicf,
    rewrites: rewritesAicf,
    messages: messagesAicf,
    tools: toolsAicf,
    requests: requestsAicf,
    definitions: definitionsAicf,
    nameAt: nameAtAicf,
    findName: findNameAicf,
    writeName: writeNameAicf,
    landmarks: landmarksAicf,
    exchanges: exchangesAicf,
    selectionPath: selectionPathAicf,
  }),
  'agent-json': agentJson(),
};

/** The language of a file by its extension; undefined for other files. */
export function languageOfFile(name: string): LanguageId | undefined {
  const lower = name.toLowerCase();
  return LANGUAGES.find(row => row.extensions.some(end => lower.endsWith(end)))?.id;
}
