import '../common/base.css';
import '../common/panel.css';
import './run.css';
import './chat/chat.css';
import { openPage } from '../common/page.ts';
import { startRunPanel } from './start.ts';

const page = openPage('run');
page.showIcons();
startRunPanel(page);
