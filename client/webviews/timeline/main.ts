import './timeline.css';
import './details.css';
import './graph.css';
import './sequence.css';
import { TimelinePage } from './page.ts';

const root = document.getElementById('root');
if (root) new TimelinePage(root);
