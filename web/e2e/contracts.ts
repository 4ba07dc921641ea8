/** A bank that pays before it keeps its books. */
export const vulnerable = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.24;

contract Bank {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        balances[msg.sender] = 0;
    }
}
`

/** The same bank, books first. */
export const fixed = vulnerable
  .replace('        balances[msg.sender] = 0;\n', '')
  .replace('        (bool ok', '        balances[msg.sender] = 0;\n        (bool ok')

/** Three hundred findings, of which one empties the bank. */
export const overflowing = `pragma solidity 0.8.24;
contract Treasury {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
${Array.from({ length: 100 }, (_, n) => `    function pay${n}(address payable to) external { to.send(1 wei); }`).join('\n')}
}
`

/** The same with the bank fixed, one payment gone and another way to lose everything. */
export const lessOverflowing = overflowing
  .replace('        balances[msg.sender] = 0;\n', '')
  .replace('        (bool sent', '        balances[msg.sender] = 0;\n        (bool sent')
  .replace(
    '    function pay99(address payable to) external { to.send(1 wei); }',
    '    function end() external { selfdestruct(payable(msg.sender)); }',
  )

/** Several weaknesses of several kinds, to be sorted, filtered and walked through. */
export const crowded = `pragma solidity 0.8.24;
contract Crowd {
    address public owner = msg.sender;
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function close() external {
        require(tx.origin == owner);
        selfdestruct(payable(msg.sender));
    }
    function drop(address payable to) external {
        to.send(1 wei);
    }
}
`
