import './timeline.css';
import '../shared/fold.css';
import '../shared/reply/reply.css';
import './details/details.css';
import './graph/graph.css';
import './sequence/sequence.css';
import { TimelinePage } from './page.ts';

const root = document.getElementById('root');
if (root) new TimelinePage(root);
