/** The files of a new rule: each passes its test as it is written, so that every change can be tested. */
const example = (name: string): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

contract Example {
    address public owner = msg.sender;
    uint256 public total;

    function bad() external {
        require(tx.origin == owner); // expect: ${name}
        total += 1;
    }

    function good() external {
        require(msg.sender == owner);
        total += 1;
    }
}
`

const yamlRule = (name: string): string => `rules:
  - id: ${name}
    title: Authorization by tx.origin
    severity: medium
    message: $ROLE is compared with tx.origin, so a contract that the account calls can act for it.
    recommendation: Compare with msg.sender.
    # Solidity with metavariables ($X) and "...". Further keys: patterns, pattern-not, pattern-inside, where, callable-by, taint.
    pattern: require(tx.origin == $ROLE, ...)
`

const codeRule = (name: string): string => `// @ts-check
/** @typedef {import('@assay/cli/rule-api').RuleApi} RuleApi */
export const apiVersion = 1

/** @param {RuleApi} api */
export default ({ defineDetector, nodesOf }) =>
  defineDetector({
    id: '${name}',
    swc: null,
    title: 'Authorization by tx.origin',
    severity: 'medium',
    confidence: 'high',
    description: 'A contract that the account calls passes a check of tx.origin, and can act for it.',
    recommendation: 'Compare with msg.sender.',
    references: [],
    cwe: [],

    // The claim: every comparison with tx.origin.
    *candidatesInModel(model) {
      for (const { unit } of model.files) {
        for (const node of nodesOf(unit, 'Binary')) {
          const sides = [node.left, node.right]
          if (node.operator === '==' && sides.some(isOrigin)) yield node
        }
      }
    },
    excuses: [],

    finding: (node) => ({ at: node, message: '\`tx.origin\` decides who may call.' }),
  })

/** @param {{ kind: string, [key: string]: any }} node */
const isOrigin = (node) =>
  node.kind === 'Member' && node.name.name === 'origin' && node.object.kind === 'Identifier' && node.object.name === 'tx'
`

/** Path from the folder of rules → text. */
export const scaffold = (name: string, isCode: boolean): ReadonlyMap<string, string> =>
  new Map([
    [isCode ? `${name}.mjs` : `${name}.yaml`, (isCode ? codeRule : yamlRule)(name)],
    ['fixtures/Example.sol', example(name)],
  ])
