/** How shapes of code are written down: so many times the same. */

/** By name: elements of the smallest size that is measured, and the text of so many. */
export type Shapes = Readonly<Record<string, readonly [from: number, write: (count: number) => string]>>

export const times = (count: number, write: (i: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, i) => write(i)).join(between)

export const contract = (inside: string, pragma = '^0.8.0'): string =>
  `pragma solidity ${pragma};\ncontract C {\n${inside}\n}\n`

export const one = (inside: string, pragma?: string): string =>
  contract(`uint s; mapping(address => uint) m;\nfunction f(uint a, address t) public {\n${inside}\n}`, pragma)

export const functions = (state: string, count: number, write: (i: number) => string, pragma?: string): string =>
  contract(`${state}\n${times(count, write)}`, pragma)

export const tokens =
  'interface IERC20 { function transfer(address,uint) external returns(bool); function transferFrom(address,address,uint) external returns(bool); function balanceOf(address) external view returns(uint); function approve(address,uint) external returns(bool); }\n'
