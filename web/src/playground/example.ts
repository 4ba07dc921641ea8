/** A small bank with the classic mistake, loaded into the playground to start with. */
export const exampleSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PiggyBank {
    address public owner;
    mapping(address => uint256) public saved;

    constructor() {
        owner = msg.sender;
    }

    function save() external payable {
        saved[msg.sender] += msg.value;
    }

    function takeOut() external {
        uint256 amount = saved[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        saved[msg.sender] = 0;
    }

    function close() external {
        require(tx.origin == owner, "not yours");
        selfdestruct(payable(msg.sender));
    }
}
`

export const exampleName = 'PiggyBank.sol'
