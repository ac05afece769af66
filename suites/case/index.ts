export { captureOf, writeCapture, type CaptureVerdict } from './capture.ts';
export { readCase, readCases, writeCase } from './file.ts';
export { decodeToken, encodeToken, TokenError, type ReplayCase } from './token.ts';
export { CaseError, parseScenario } from './validate.ts';
