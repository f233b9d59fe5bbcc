import '../common/base.css';
import '../common/panel.css';
import './workflow.css';
import { openPage } from '../common/page.ts';
import { startWorkflowPanel } from './start.ts';

startWorkflowPanel(openPage('workflow'));
