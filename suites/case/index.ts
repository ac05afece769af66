export { CaseError } from './check.ts';
export { readCase, readCases, writeCase } from './file.ts';
export { decodeToken, encodeToken, TokenError, type ReplayCase } from './token.ts';
export { parseScenario } from './validate.ts';
