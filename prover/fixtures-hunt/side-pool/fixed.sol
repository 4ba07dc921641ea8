// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IBorrower {
    function execute() external payable;
}

contract EtherPool {
    mapping(address => uint256) public credit;
    bool private busy;

    function deposit() external payable {
        require(!busy, "busy");
        credit[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }

    function flashLoan(uint256 amount) external {
        uint256 before = address(this).balance;
        require(amount <= before, "too much");
        busy = true;
        IBorrower(msg.sender).execute{value: amount}();
        busy = false;
        require(address(this).balance >= before, "not repaid");
    }

    receive() external payable {}
}
