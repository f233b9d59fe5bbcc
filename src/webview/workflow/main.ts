import '../common/base.css';
import '../common/panel.css';
import './workflow.css';
import { openPage } from '../common/page.ts';
import { startWorkflowPanel } from './start.ts';

const page = openPage('workflow');
page.showIcons();
startWorkflowPanel(page);
