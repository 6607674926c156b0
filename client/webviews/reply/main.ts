import './reply.css';
import { ReplyPage } from './page.ts';

const root = document.getElementById('root');
if (root) new ReplyPage(root);
