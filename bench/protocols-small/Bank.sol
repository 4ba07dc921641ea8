// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether deposits with an emergency stop, fees of the owner, and a guard against reentrancy.
contract Bank {
    address public owner;
    address public pendingOwner;
    bool public isStopped;
    uint256 public fees;
    uint256 public total;
    bool private entered;
    mapping(address => uint256) public credit;

    modifier onlyOwner() {
        require(msg.sender == owner, "owner");
        _;
    }

    modifier guarded() {
        require(!entered, "entered");
        entered = true;
        _;
        entered = false;
    }

    constructor() {
        owner = msg.sender;
    }

    function deposit() external payable {
        require(!isStopped, "stopped");
        uint256 fee = msg.value / 1000;
        fees += fee;
        credit[msg.sender] += msg.value - fee;
        total += msg.value - fee;
    }

    function withdraw(uint256 amount) external guarded {
        require(!isStopped, "stopped");
        require(credit[msg.sender] >= amount, "credit");
        credit[msg.sender] -= amount;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }

    function transferCredit(address to, uint256 amount) external {
        require(credit[msg.sender] >= amount, "credit");
        credit[msg.sender] -= amount;
        credit[to] += amount;
    }

    function stop(bool isStopped_) external onlyOwner {
        isStopped = isStopped_;
    }

    function collectFees(address payable to) external onlyOwner {
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function takeOwnership() external {
        require(msg.sender == pendingOwner, "pending");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
