export { captureOf, type CaptureVerdict } from './capture.ts';
export { caseFile, caseText, readCase, readCases, writeCase } from './file.ts';
export { CaseStore } from './store.ts';
export { decodeToken, encodeToken, TokenError, type ReplayCase } from './token.ts';
export { CaseError, parseScenario } from './validate.ts';
