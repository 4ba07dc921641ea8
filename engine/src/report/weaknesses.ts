/** The vulnerability classes by SWC number: the written interface's names for its fifteen, the registry's titles for the rest. */
export interface Weakness {
  readonly name: string
  readonly cwe: readonly string[]
  /** The registry's own title, where the written interface names the class otherwise. */
  readonly registryTitle?: string
  /** The nearest entries of OWASP's Smart Contract Weakness Enumeration. */
  readonly scwe?: readonly string[]
  /** The category of the OWASP Smart Contract Top 10 of 2026. */
  readonly owasp?: string
}

export const weaknesses: Readonly<Record<`SWC-${number}`, Weakness>> = {
  'SWC-100': { name: 'Function Default Visibility', cwe: ['CWE-710'] },
  'SWC-101': { name: 'Integer Overflow and Underflow', cwe: ['CWE-682'], scwe: ['SCWE-047'], owasp: 'SC09' },
  'SWC-102': { name: 'Outdated Compiler Version', cwe: ['CWE-937'] },
  'SWC-103': { name: 'Floating Pragma', cwe: ['CWE-664'], scwe: ['SCWE-060'] },
  'SWC-104': { name: 'Unchecked Call Return Value', cwe: ['CWE-252'], scwe: ['SCWE-048'], owasp: 'SC06' },
  'SWC-105': { name: 'Unprotected Ether Withdrawal', cwe: ['CWE-284'], scwe: ['SCWE-049'], owasp: 'SC01' },
  'SWC-106': { name: 'Unprotected SELFDESTRUCT', cwe: ['CWE-284'], scwe: ['SCWE-050', 'SCWE-038'], owasp: 'SC01' },
  'SWC-107': { name: 'Reentrancy', cwe: ['CWE-841'], scwe: ['SCWE-046', 'SCWE-137', 'SCWE-138'], owasp: 'SC08' },
  'SWC-108': { name: 'State Variable Default Visibility', cwe: ['CWE-710'] },
  'SWC-109': { name: 'Uninitialized Storage Pointer', cwe: ['CWE-824'] },
  'SWC-110': { name: 'Assert Violation', cwe: ['CWE-670'] },
  'SWC-111': { name: 'Use of Deprecated Solidity Functions', cwe: ['CWE-477'] },
  'SWC-112': { name: 'Delegatecall to Untrusted Callee', cwe: ['CWE-829'], scwe: ['SCWE-035'], owasp: 'SC10' },
  'SWC-113': { name: 'DoS with Failed Call', cwe: ['CWE-703'], scwe: ['SCWE-148'], owasp: 'SC06' },
  'SWC-114': {
    name: 'Tx.Origin Authentication',
    cwe: ['CWE-362'],
    registryTitle: 'Transaction Order Dependence',
    scwe: ['SCWE-037', 'SCWE-018'],
    owasp: 'SC02',
  },
  'SWC-115': {
    name: 'Authorization via tx.origin',
    cwe: ['CWE-477'],
    registryTitle: 'Authorization through tx.origin',
    scwe: ['SCWE-018'],
    owasp: 'SC01',
  },
  'SWC-116': {
    name: 'Block Values as Time Proxies',
    cwe: ['CWE-829'],
    registryTitle: 'Block values as a proxy for time',
    scwe: ['SCWE-065', 'SCWE-031'],
    owasp: 'SC02',
  },
  'SWC-117': { name: 'Signature Malleability', cwe: ['CWE-347'] },
  'SWC-118': { name: 'Incorrect Constructor Name', cwe: ['CWE-665'], scwe: ['SCWE-070'], owasp: 'SC01' },
  'SWC-119': { name: 'Shadowing State Variables', cwe: ['CWE-710'] },
  'SWC-120': {
    name: 'Weak Sources of Randomness',
    cwe: ['CWE-330'],
    registryTitle: 'Weak Sources of Randomness from Chain Attributes',
    scwe: ['SCWE-024', 'SCWE-084', 'SCWE-153'],
  },
  'SWC-121': { name: 'Missing Protection against Signature Replay Attacks', cwe: ['CWE-347'] },
  'SWC-122': { name: 'Lack of Proper Signature Verification', cwe: ['CWE-345'] },
  'SWC-123': { name: 'Requirement Violation', cwe: ['CWE-573'], scwe: ['SCWE-067'], owasp: 'SC05' },
  'SWC-124': { name: 'Write to Arbitrary Storage Location', cwe: ['CWE-123'] },
  'SWC-125': { name: 'Incorrect Inheritance Order', cwe: ['CWE-696'] },
  'SWC-126': { name: 'Insufficient Gas Griefing', cwe: ['CWE-691'] },
  'SWC-127': { name: 'Arbitrary Jump with Function Type Variable', cwe: ['CWE-695'] },
  'SWC-128': { name: 'DoS With Block Gas Limit', cwe: ['CWE-400'] },
  'SWC-129': { name: 'Typographical Error', cwe: ['CWE-480'] },
  'SWC-130': { name: 'Right-To-Left-Override control character (U+202E)', cwe: ['CWE-451'] },
  'SWC-131': { name: 'Presence of unused variables', cwe: ['CWE-1164'] },
  'SWC-132': {
    name: 'Unexpected Gas Usage',
    cwe: ['CWE-667'],
    registryTitle: 'Unexpected Ether balance',
    scwe: ['SCWE-075', 'SCWE-032', 'SCWE-058'],
  },
  'SWC-133': { name: 'Hash Collisions With Multiple Variable Length Arguments', cwe: ['CWE-294'] },
  'SWC-134': { name: 'Message call with hardcoded gas amount', cwe: ['CWE-655'] },
  'SWC-135': { name: 'Code With No Effects', cwe: ['CWE-1164'] },
  'SWC-136': { name: 'Unencrypted Private Data On-Chain', cwe: ['CWE-767'] },
}

export const findWeakness = (swc: string): Weakness | undefined => weaknesses[swc as `SWC-${number}`]
