// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IBorrower {
    function execute() external payable;
}

contract SidePool {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function flashLoan(uint256 amount) external {
        uint256 balanceBefore = address(this).balance;
        IBorrower(msg.sender).execute{value: amount}(); // expect: measured-around-callback
        require(address(this).balance >= balanceBefore, "not repaid");
    }
}
