/** Texts of `reference/`, by the file that shows them. Texts with values are functions. */

export const exampleRequest = {
  constFormNewFormdata: 'const form = new FormData()',
  formAppendFileNew: `form.append('file', new File([await readFile('Contract.sol')], 'Contract.sol'))`,
  constResponseAwaitFetch: (url: string) => `const response = await fetch(\`${url}\`, {`,
  consoleLogResponseStatus: 'console.log(response.status, await response.text())',
  importJsonOsRequests: 'import json, os, requests',
  printAnswerStatusCode: 'print(answer.status_code, answer.text)',
}

export const operationView = {
  apiKeyAsApi: 'With an API key as `X-API-Key`, or a session.',
  sessionTokenPostApi: 'With a session: the token of `POST /api/login` as `Authorization: Bearer`, or its cookie.',
  theExampleOf: (method: string, path: string) => `the example of ${method} ${path}`,
}
