// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IBorrower {
    function execute() external payable;
}

contract SidePool {
    mapping(address => uint256) public balances;
    bool private isLending;

    function deposit() external payable {
        require(!isLending, "lending");
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function flashLoan(uint256 amount) external {
        uint256 balanceBefore = address(this).balance;
        isLending = true;
        IBorrower(msg.sender).execute{value: amount}();
        isLending = false;
        require(address(this).balance >= balanceBefore, "not repaid");
    }
}
