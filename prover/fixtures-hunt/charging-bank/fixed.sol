// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract ChargingBank {
    address public immutable owner = msg.sender;
    uint256 public fees;
    mapping(address => uint256) public credit;

    function deposit() external payable {
        uint256 fee = msg.value / 500;
        fees += fee;
        credit[msg.sender] += msg.value - fee;
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount, "credit");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }

    function collectFees() external {
        require(msg.sender == owner, "owner");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }
}
